import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Database, Reader, Schema } from '@burgee/storage/database'
import { RowReader } from '@burgee/storage/drivers/sqlite/row-text'
import { openSqlite, type SqliteOptions } from '@burgee/storage/drivers/sqlite/sqlite'
import { SqliteDriver, sqliteDialect } from '@burgee/storage/drivers/sqlite/sqlite-driver'
import { SqliteThread } from '@burgee/storage/drivers/sqlite/sqlite-thread'
import { classifyDbError } from '@burgee/storage/errors'
import { Leases } from '@burgee/storage/leases'
import { Kysely, type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { until } from '../support/wait.ts'

const run = promisify(execFile)
const ROOT = mkdtempSync(join(tmpdir(), 'burgee-threads-'))
afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

const LOOP = 'with recursive n(i) as (select 1 union all select i + 1 from n'
const counted = (rows: number) =>
  sql<{ n: number }>`${sql.raw(LOOP)} where i < ${sql.lit(rows)}) select count(*) as n from n`
/** Takes some hundred milliseconds. */
const LONG = counted(2_000_000)
/** Timeout of a statement whose thread will be abandoned one second later. */
const SHORT_MS = 50
const GIVEN_UP_MS = SHORT_MS + 1000
/** Statement that takes longer than the time limits within a single step, on any machine. */
const TOO_LONG = counted(rowsThatTake(3 * GIVEN_UP_MS))

/** Estimates how many rows SQLite counts within this time on this machine, from the fastest of three runs. */
function rowsThatTake(ms: number): number {
  const rows = 300_000
  const db = new DatabaseSync(':memory:')
  const statement = db.prepare(`${LOOP} where i < ${rows}) select count(*) as n from n`)
  const tries = Array.from({ length: 3 }, () => {
    const began = performance.now()
    statement.get()
    return performance.now() - began
  })
  db.close()
  return Math.ceil((rows * ms) / Math.min(...tries))
}

let files = 0
const opened: Database[] = []
async function start(options: Partial<SqliteOptions> = {}): Promise<Database> {
  files += 1
  const db = await openSqlite(join(ROOT, `${files}.sqlite`), { clock: Date.now, ...options })
  opened.push(db)
  return db
}
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
})

/** Makes the database open all of its threads. */
async function openAll(db: Database): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let ready = 0
  const hold = (reader: Reader) =>
    ask(reader, sql`select 1 as one`).then(() => {
      ready += 1
      if (ready === 3) resolve()
      return promise
    })
  await Promise.all([db.view(hold), db.view(hold), db.scan(hold)])
  // nothing waits for the end of a view, so this pause lets the views release their threads
  await turn()
}

const ask = <T>(reader: Reader, query: RawBuilder<T>) => query.execute(reader as never)
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => `${classifyDbError(error)}: ${(error as Error).message}`,
  )
const setting = (db: Database, name: string) =>
  db.write((tx) => tx.insertInto('settings').values({ name, value: 'x' }).execute())
const settings = async (db: Database) =>
  (await db.reader.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name)

describe('an embedded database on threads of its own', () => {
  test('the thread that asks goes on while SQLite works', async () => {
    const db = await start()
    let isDone = false
    let turns = 0
    const answer = ask(db.reader, LONG).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await turn()
      turns += 1
    }
    expect((await answer).rows).toEqual([{ n: 2_000_000 }])
    expect(turns).toBeGreaterThan(100)
  })

  test.each<[string, (db: Database) => Promise<unknown>]>([
    ['a read', (db) => ask(db.reader, LONG)],
    ['a scan', (db) => db.scan((reader) => ask(reader, LONG))],
    ['a write', (db) => db.write((tx) => LONG.execute(tx))],
  ])('%s that takes long holds up no other read', async (_name, begin) => {
    const db = await start()
    await openAll(db)
    let isDone = false
    const long = begin(db).finally(() => {
      isDone = true
    })
    expect(await settings(db)).toEqual([])
    expect(isDone).toBe(false)
    await long
  })

  test('a result of many parts comes whole and in order, with JSON as it was', async () => {
    const db = await start()
    const data = JSON.stringify({ list: [1, 'a,b', { '"': '\\' }], text: 'ü🏴\u2028'.repeat(20) })
    const { rows } = await ask(
      db.reader,
      sql<{ i: number; data: unknown; description: string }>`${sql.raw(LOOP)} where i < 3000)
        select i, ${data} as data, ${data} as description, i / 7.0 as part, null as owner from n`,
    )
    expect(rows).toHaveLength(3000)
    for (const [index, row] of rows.entries()) {
      const i = index + 1
      expect(row).toEqual({ i, data: JSON.parse(data), description: data, part: i / 7, owner: null })
    }
  })

  test('on a Node before 22.16, which has rows as objects only, results are the same', async () => {
    const db = await start()
    await setting(db, 'one')
    const file = join(ROOT, `${files}.sqlite`)
    const config = { file, isWriter: false, jsonColumns: ['data'], taken: new Int32Array(new SharedArrayBuffer(4)) }
    const script = `import { StatementSync } from 'node:sqlite'
      delete StatementSync.prototype.setReturnArrays
      await import(${JSON.stringify(import.meta.resolve('@burgee/storage/drivers/sqlite/connection-thread'))})`
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { workerData: config })
    // the first message of the thread reports that the file is open
    expect(await once(worker, 'message')).toEqual([[{}]])
    const thread = await SqliteThread.open(file, false)
    for (const text of [
      `select name, value, null as none, 1.5 as part, '{"a":[true]}' as data from settings`,
      "select name from settings where name = 'nobody'",
      `${LOOP} where i < 9) select i, 'x' as data2, i * 2 as "2", i as "1" from n`,
    ]) {
      const job = { kind: 'rows', before: [], sql: text, parameters: [], limitMs: 5000 } as const
      worker.postMessage([job])
      const [[answer = {}]] = (await once(worker, 'message')) as [{ text?: string }[]]
      const read = new RowReader()
      if (answer.text !== undefined) read.add(answer.text)
      expect({ rows: read.rows }).toEqual(await thread.run(job))
    }
    await thread.close()
    await worker.terminate()
  })

  test('columns that a table gets while its rows are read often have their own names', async () => {
    await start()
    const [writer, reader] = await Promise.all(
      [true, false].map((isWriter) => SqliteThread.open(join(ROOT, `${files}.sqlite`), isWriter)),
    )
    const job = (kind: 'rows' | 'run', text: string) =>
      ({ kind, before: [], sql: text, parameters: [], limitMs: 5000 }) as const
    const names = (thread: typeof writer) =>
      thread?.run(job('rows', 'select * from later')).then(({ rows }) => Object.keys(rows?.[0] ?? {}))
    // sent like other DDL: only inserts, updates and deletes are known to return no rows
    const define = (text: string) => writer?.run(job('rows', text))
    await define('create table later (a text)')
    await writer?.run(job('run', "insert into later values ('x')"))
    expect([await names(writer), await names(reader)]).toEqual([['a'], ['a']])
    await define('alter table later add column b text')
    expect([await names(writer), await names(reader)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    await define('alter table later rename column b to c')
    expect(await names(writer)).toEqual(['a', 'c'])
    for (const thread of [writer, reader]) await thread?.close()
  })

  test('the answer to a long statement comes between those before it and behind it', async () => {
    await start()
    const thread = await SqliteThread.open(join(ROOT, `${files}.sqlite`), false)
    const read = (text: string) =>
      thread.run({ kind: 'rows', before: [], sql: text, parameters: [], limitMs: 5000 }).then(({ rows }) => rows)
    const many = read(`${LOOP} where i < 2000) select i, hex(zeroblob(500)) as text from n`)
    const all = await Promise.all([read("select 'one' as name"), many, read("select 'two' as name")])
    expect([all[0], all[1]?.length, all[2]]).toEqual([[{ name: 'one' }], 2000, [{ name: 'two' }]])
    await thread.close()
  })

  test('a statement that takes too long ends as unavailable, and the next one finds another thread', async () => {
    const db = await start({ statementMs: SHORT_MS })
    expect(await reasonOf(ask(db.reader, TOO_LONG))).toMatch(/^unavailable: .*took too long and was abandoned/)
    expect(await settings(db)).toEqual([])
  })

  test.each([
    ['faster than its reader', 'hex(zeroblob(500))'],
    [
      'slower than its reader',
      `hex(zeroblob(40000)) || (with recursive m(j) as (select 1 union all select j + 1 from m where j < 30000 + i) select count(*) from m)`,
    ],
  ])('an endless result that comes %s ends at the time limit and keeps the thread', async (_name, text) => {
    const db = await start({ statementMs: SHORT_MS })
    const thread = await SqliteThread.open(join(ROOT, `${files}.sqlite`), false)
    const endless = sql`${sql.raw(LOOP)}) select i, ${sql.raw(text)} as text from n`.compile(db.reader as never)
    const job = { kind: 'rows', before: [], sql: endless.sql, parameters: [], limitMs: SHORT_MS } as const
    expect(await reasonOf(thread.run(job))).toMatch(/^unavailable: .*statement timeout/)
    expect(thread.isAlive).toBe(true)
    await thread.close()
  })

  test('a value that is too long to be handed over costs its statement only', async () => {
    const db = await start()
    expect(await reasonOf(ask(db.reader, sql`select hex(zeroblob(40000000)) as text`))).toMatch(/80000000 characters/)
    expect(await settings(db)).toEqual([])
  })

  test('a thread that is lost while it writes leaves nothing behind, and another one writes on', async () => {
    const db = await start()
    const open = () => SqliteThread.open(join(ROOT, `${files}.sqlite`), true)
    const threads = new Leases({ max: 1, open })
    const writer = new Kysely<Schema>({
      dialect: sqliteDialect(new SqliteDriver({ threads, isWriter: true, limitMs: SHORT_MS })),
    })
    const half = writer.transaction().execute(async (tx) => {
      await tx.insertInto('settings').values({ name: 'half', value: 'x' }).execute()
      await TOO_LONG.execute(tx)
    })
    expect(await reasonOf(half)).toMatch(/^unavailable: .*abandoned/)
    const after = () =>
      writer.transaction().execute((tx) => tx.insertInto('settings').values({ name: 'after', value: 'x' }).execute())
    // the lock is released once the abandoned thread returns from its statement
    await until(async () => (await reasonOf(after())) === 'none')
    expect(await settings(db)).toEqual(['after'])
    await writer.destroy()
  })

  test('a failing statement fails its transaction, whatever is sent after it', async () => {
    const db = await start()
    await setting(db, 'taken')
    const work = db.write(async (tx) => {
      const insert = (name: string) => tx.insertInto('settings').values({ name, value: 'x' }).execute()
      await Promise.all([insert('taken'), insert('free')])
    })
    expect(await reasonOf(work)).toMatch(/^unique: UNIQUE constraint failed/)
    expect(await settings(db)).toEqual(['taken'])
  })

  test('callers beyond the queue limit are refused at once, and the others served', async () => {
    const db = await start()
    await openAll(db)
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const held = Array.from({ length: 2 }, () =>
      db.view(async (reader) => {
        await reader.selectFrom('settings').select('name').execute()
        await promise
      }),
    )
    const asked = Array.from({ length: 1200 }, () => reasonOf(settings(db)))
    const refused = await asked.at(-1)
    expect(refused).toMatch(/^unavailable: 1000 callers are already waiting/)
    release()
    await Promise.all(held)
    const reasons = Map.groupBy(await Promise.all(asked), (reason) => reason)
    expect(reasons.get('none')?.length).toBeGreaterThanOrEqual(1000)
    expect(reasons.size).toBe(2)
  })

  test('threads do not keep a process alive that has nothing else to do', async () => {
    const script = `
      import { openSqlite } from '@burgee/storage/drivers/sqlite/sqlite'
      const db = await openSqlite(${JSON.stringify(join(ROOT, 'left.sqlite'))}, { clock: Date.now })
      await db.scan((reader) => reader.selectFrom('settings').select('name').execute())
      console.log('asked')`
    const args = ['--conditions=source', '--input-type=module', '--eval', script]
    const { stdout, stderr } = await run(process.execPath, args, {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    expect([stdout.trim(), stderr]).toEqual(['asked', ''])
  })
})

test('concurrent reads of a view leave in one message, and so does its end', async () => {
  const db = await start()
  await openAll(db)
  const sent: unknown[][] = []
  const post = Worker.prototype.postMessage
  Worker.prototype.postMessage = function (jobs: unknown[]) {
    sent.push(jobs)
    return post.call(this, jobs)
  }
  try {
    const read = (reader: Reader) => reader.selectFrom('settings').select('name').execute()
    await db.view((reader) => Promise.all([read(reader), read(reader), read(reader)]))
    await turn()
  } finally {
    Worker.prototype.postMessage = post
  }
  expect(sent.map((jobs) => jobs.length)).toEqual([3, 1])
})
