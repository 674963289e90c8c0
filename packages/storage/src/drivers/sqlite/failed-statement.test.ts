import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SqliteThread } from './sqlite-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'failed-statement-'))
let thread: SqliteThread
beforeAll(async () => {
  thread = await SqliteThread.open(join(folder, 'test.db'), true)
  await execute('run', 'create table t (a integer primary key check (a > 0), b text)')
})
afterAll(async () => {
  await thread.close()
  rmSync(folder, { recursive: true })
})

const execute = (kind: 'rows' | 'run', sql: string, parameters: readonly unknown[] = []) =>
  thread.run({ kind, sql, parameters, before: [], limitMs: 10_000 })

/** Statements that fail with a first parameter and succeed with a second. */
const STATEMENTS = {
  'an insert that returns rows': ['rows', 'insert into t (a) values (?) returning a', -1, 1],
  'an insert without rows': ['run', 'insert into t (a) values (?)', -1, 2],
  'an update that returns rows': ['rows', 'update t set a = a + ? returning a', -100, 100],
  'a query': ['rows', 'select json_extract(?, 1) as a', 'not json', null],
} as const satisfies Record<string, readonly ['rows' | 'run', string, unknown, unknown]>

test.each(Object.entries(STATEMENTS))(
  '%s succeeds immediately after it has failed',
  async (_name, [kind, sql, bad, good]) => {
    for (let round = 0; round < 2; round += 1) await expect(execute(kind, sql, [bad])).rejects.toThrow()
    await expect(execute(kind, sql, [good])).resolves.toBeDefined()
  },
)
