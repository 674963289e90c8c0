import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createFeature } from '@burgee/server/admin/flags/features'
import { type Change, execute } from '@burgee/server/core/execute'
import { SYSTEM, type World } from '@burgee/server/core/world'
import { createBroadcast } from '@burgee/server/delivery/events/broadcast'
import type { Database, Reader, Tx } from '@burgee/storage/database'
import { classifyDbError } from '@burgee/storage/errors'
import { listEventsAfter } from '@burgee/storage/queries/events/event-tail'
import { PipelinedResult } from '@burgee/storage/transactions/pipelined-result'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_SECRETS } from '../support/place.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { DRIVERS, type Place } from './drivers.ts'

const MOST_OF_A_GROUP = 32

/** Changes that wait for the writer share a transaction, but are otherwise independent. */
describe.each(DRIVERS)('on $name', (driver) => {
  let place: Place
  let db: Database
  let look: TestDatabase
  let world: World
  let said: string[] = []
  let heard: string[] = []

  beforeAll(async () => {
    place = await driver.place()
    db = await place.open({ maxBatchMs: 60_000, onQuery: (text) => said.push(text.toLowerCase()) })
    look = await place.look()
    const base = { clock: Date.now, monotonic: PROCESS_CLOCK, random: randomBytes, logger: SILENT, secrets: NO_SECRETS }
    world = { db, ...base, broadcast: createBroadcast(SILENT) }
    world.broadcast.subscribe(
      (events) => void heard.push(...events.map(({ featureName }) => String(featureName))),
      () => {},
    )
  })
  beforeEach(async () => {
    for (const table of ['features', 'events', 'settings']) await look.rows(`delete from ${table}`)
    said = []
    heard = []
  })
  afterAll(async () => {
    await db.close()
    await look.close()
    await place.remove()
  })

  const create = (name: string, own = world) =>
    execute(own, SYSTEM, createFeature, { project: 'default', body: { name } })
  const set = (name: string) => (tx: Tx) => tx.insertInto('settings').values({ name, value: 'x' }).execute()
  const add = (tx: Tx) => tx.insertInto('settings').values({ name: 'half', value: 'x' }).returning('name').execute()
  const settings = async () => (await look.rows('select name from settings order by name')).map((row) => row.name)
  const flags = async () => (await look.rows('select name from features order by name')).map((row) => row.name)
  const count = (pattern: RegExp) => said.filter((text) => pattern.test(text)).length
  const BEGIN = /^(begin|start transaction)/
  const ends = async (changes: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(changes)).map(({ status }) => (status === 'fulfilled' ? 'kept' : 'failed'))

  /** Blocks the writer until these changes are queued, so that they share the next batch. */
  async function atOnce<T>(changes: () => readonly Promise<T>[]): Promise<Promise<T>[]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const busy = db.write(async () => {
      begin()
      await promise
    })
    await begun
    said = []
    const waiting = [...changes()]
    for (const change of waiting) change.catch(() => {})
    resolve()
    await busy
    return waiting
  }

  test('a change alone is one transaction without a savepoint', async () => {
    await create('alone')
    expect([count(BEGIN), count(/^commit/), count(/savepoint/)]).toEqual([1, 1, 0])
  })

  test('changes that wait share a transaction, in the order they came', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `waiting-${index}`)
    const made = await atOnce(() => names.map((name) => create(name)))
    await Promise.all(made)
    // includes the commit of the previous change
    expect([count(BEGIN), count(/^commit/)]).toEqual([1, 2])
    expect(count(/savepoint/)).toBe(0)
    expect(heard).toEqual(names)
    const events = await listEventsAfter(db.reader, 0, { limit: 100 })
    expect(events.map(({ featureName }) => featureName)).toEqual(names)
    expect(events.map(({ createdAt }) => createdAt)).toEqual(events.map(({ createdAt }) => createdAt).toSorted())
  })

  test(`more than ${MOST_OF_A_GROUP} are several transactions, so that the first does not wait for the last`, async () => {
    const names = Array.from(
      { length: 2 * MOST_OF_A_GROUP + 1 },
      (_, index) => `many-${String(index).padStart(3, '0')}`,
    )
    await Promise.all(await atOnce(() => names.map((name) => db.write(set(name)))))
    expect(count(BEGIN)).toBeGreaterThanOrEqual(3)
    expect(await settings()).toEqual(names)
  })

  test('a turn whose time is over takes no further change', async () => {
    const other = await driver.place()
    const texts: string[] = []
    const impatient = await other.open({ maxBatchMs: 0, onQuery: (text) => texts.push(text.toLowerCase()) })
    texts.length = 0
    const changes = ['a', 'b', 'c'].map((name) => impatient.write(set(name)))
    expect(await ends(changes)).toEqual(['kept', 'kept', 'kept'])
    expect(texts.filter((text) => BEGIN.test(text))).toHaveLength(3)
    await impatient.close()
    await other.remove()
  })

  test('no change is acknowledged before the commit', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    let told = 0
    const changes = await atOnce<unknown>(() => [
      db.write(set('first')),
      db.write(async (tx) => {
        await set('second')(tx)
        await gate
      }),
    ])
    for (const change of changes) void change.then(() => (told += 1))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect([told, await settings()]).toEqual([0, []])
    open()
    await Promise.all(changes)
    expect(await settings()).toEqual(['first', 'second'])
  })

  test.each<[string, (tx: Tx) => Promise<unknown>, string | RegExp]>([
    ['is refused before it wrote', async () => Promise.reject(new Error('refused')), 'refused'],
    ['throws after it wrote', (tx) => set('half')(tx).then(() => Promise.reject(new Error('late'))), 'late'],
    ['breaks a constraint', (tx) => set('half')(tx).then(() => set('half')(tx)), /unique/i],
    ['breaks a constraint and goes on', (tx) => set('first')(tx).then(() => set('half')(tx)), /unique/i],
    [
      'asks for what is not there',
      (tx) =>
        tx
          .selectFrom('nowhere' as 'tags')
          .selectAll()
          .execute(),
      /nowhere/,
    ],
    ['holds what cannot be stored', (tx) => set('a\0b')(tx), /NUL/],
    ['breaks a constraint in a statement that returns rows', (tx) => set('half')(tx).then(() => add(tx)), /unique/i],
    [
      'breaks a constraint in its last answer',
      (tx) => set('half')(tx).then(() => new PipelinedResult(set('half')(tx))),
      /unique/i,
    ],
    ['has a last answer that cannot be stored', async (tx) => new PipelinedResult(set('a\0b')(tx)), /NUL/],
    [
      'throws behind a statement that breaks a constraint',
      (tx) => Promise.all([set('half')(tx), set('half')(tx)]).then(() => Promise.reject(new Error('behind'))),
      'behind',
    ],
  ])('a change that %s affects no other change, wherever it stands', async (_name, change, why) => {
    const bad = () => db.write(change)
    const changes = await atOnce<unknown>(() => [
      ...[db.write(set('first')), bad(), db.write(set('middle'))],
      ...[bad(), bad(), db.write(set('last'))],
    ])
    expect(await ends(changes)).toEqual(['kept', 'failed', 'kept', 'failed', 'failed', 'kept'])
    await expect(changes[1]).rejects.toThrow(why)
    const asFirst = await atOnce<unknown>(() => [bad(), db.write(set('then'))])
    expect(await ends(asFirst)).toEqual(['failed', 'kept'])
    const asLast = await atOnce<unknown>(() => [db.write(set('before')), bad()])
    expect(await ends(asLast)).toEqual(['kept', 'failed'])
    expect(await ends([bad()])).toEqual(['failed'])
    expect(await settings()).toEqual(['before', 'first', 'last', 'middle', 'then'])
  })

  /** Creates a change that appends a letter to a setting. */
  const append = (name: string, how: string[] = [], table = 'settings') => {
    const read = (reader: Reader) =>
      reader
        .selectFrom(table as 'settings')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirst()
    return db.write<unknown, { value: string } | undefined>(
      async (tx, known) => {
        how.push(`${name} ${known === undefined ? 'by itself' : 'ahead'}`)
        const value = `${(await (known ?? read(tx)))?.value ?? ''}x`
        const row = tx.insertInto('settings').values({ name, value })
        return new PipelinedResult(row.onConflict((on) => on.column('name').doUpdateSet({ value })).execute())
      },
      { subject: name, read },
    )
  }

  test('reads of changes are issued ahead, except for rows that an earlier change touches', async () => {
    const how: string[] = []
    const names = ['a', 'b', 'a', 'a', 'c']
    await Promise.all(
      await atOnce<unknown>(() => [
        ...names.map((name) => append(name, how)),
        ...[db.write(set('any')), append('d', how), append('b', how)],
      ]),
    )
    const ahead = ['a ahead', 'b ahead', 'a by itself', 'a by itself', 'c ahead']
    expect(how).toEqual([...ahead, 'd by itself', 'b by itself'])
    const rows = await look.rows('select name, value from settings order by name')
    expect(rows.map(({ name, value }) => `${name} ${value}`)).toEqual(['a xxx', 'any x', 'b xx', 'c x', 'd x'])
  })

  test('a question asked ahead that fails costs its change, and no other', async () => {
    const changes = await atOnce<unknown>(() => [append('a'), append('b', [], 'nowhere'), append('c')])
    expect(await ends(changes)).toEqual(['kept', 'failed', 'kept'])
    await expect(changes[1]).rejects.toThrow(/nowhere/)
    expect(await settings()).toEqual(['a', 'c'])
  })

  test('a batch with a failed statement runs again, with a savepoint for each change behind a written one', async () => {
    const fails = (tx: Tx) => set('half')(tx).then(() => set('half')(tx))
    const changes = await atOnce<unknown>(() => [fails, set('a'), fails, set('b')].map((change) => db.write(change)))
    expect(await ends(changes)).toEqual(['failed', 'kept', 'failed', 'kept'])
    expect([count(/^savepoint/), count(/^release/), await settings()]).toEqual([2, 2, ['a', 'b']])
  })

  test('a change that runs again is charged to its author once', async () => {
    const charges: string[] = []
    const storage: World['storage'] = {
      charge: (_user, { events }) => charges.push(...events.map(({ featureName }) => String(featureName))),
    }
    const fails = (tx: Tx) => set('half')(tx).then(() => set('half')(tx))
    const changes = await atOnce<unknown>(() => [create('charged', { ...world, storage }), db.write(fails)])
    expect([await ends(changes), charges, await flags()]).toEqual([['kept', 'failed'], ['charged'], ['charged']])
  })

  test('a change sees nothing of a failed change before it, whose answer came later', async () => {
    const seen: string[][] = []
    const fails = (tx: Tx) => set('half')(tx).then(() => new PipelinedResult(set('half')(tx)))
    const looks = async (tx: Tx) => {
      const rows = await tx.selectFrom('settings').select('name').orderBy('name').execute()
      seen.push(rows.map(({ name }) => name))
      return new PipelinedResult(set('behind')(tx))
    }
    const changes = await atOnce<unknown>(() => [db.write(set('first')), db.write(fails), db.write(looks)])
    expect(await ends(changes)).toEqual(['kept', 'failed', 'kept'])
    expect([seen, await settings()]).toEqual([[['first']], ['behind', 'first']])
  })

  test('a batch that has written notifies other nodes once, and one that has not does not', async () => {
    const notified = () => count(/pg_notify/)
    await Promise.all(await atOnce(() => [db.write(set('a')), db.write(set('b'))]))
    expect(notified()).toBe(db.kind === 'postgres' ? 1 : 0)
    await Promise.all(await atOnce(() => [db.write((tx) => tx.selectFrom('settings').selectAll().execute())]))
    expect(notified()).toBe(0)
  })

  test('an event that cannot be written fails its change, and reaches no subscriber', async () => {
    const half: Change<undefined, unknown> = async (tx, _input, moment) => {
      const { result } = await createFeature(tx, { project: 'default', body: { name: 'half' } }, moment)
      return { result, events: [{ type: 'feature-created', featureName: 'half', data: 1n }] }
    }
    const changes = await atOnce<unknown>(() => [
      ...[create('before'), execute(world, SYSTEM, half, undefined), create('after')],
    ])
    expect(await ends(changes)).toEqual(['kept', 'failed', 'kept'])
    expect(await flags()).toEqual(['after', 'before'])
    expect(heard).toEqual(['before', 'after'])
  })

  test('a group whose commit fails leaves nothing and acknowledges nothing; the next group succeeds', async () => {
    await look.rows('create table poison (project text references projects (id) deferrable initially deferred)')
    const poison = (tx: Tx) =>
      tx
        .insertInto('poison' as 'members' as never)
        .values({ project: 'nowhere' } as never)
        .execute()
    const changes = await atOnce<unknown>(() => [create('one'), db.write(poison), create('two')])
    expect(await ends(changes)).toEqual(['failed', 'failed', 'failed'])
    expect(classifyDbError(await changes[0]?.catch((error: unknown) => error))).toBe('reference')
    expect([await flags(), heard]).toEqual([[], []])
    await create('next')
    expect(await flags()).toEqual(['next'])
  })

  test('a change that loses a deadlock runs again, until it has lost five times', async () => {
    const runs: string[] = []
    const change = (name: string, loses: number) => async (tx: Tx) => {
      runs.push(name)
      await set(name)(tx)
      if (runs.filter((one) => one === name).length <= loses) {
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      }
    }
    const changes = await atOnce(() => [
      ...[db.write(change('a', 0)), db.write(change('b', 2)), db.write(change('c', 0)), db.write(change('d', 9))],
    ])
    expect(await ends(changes)).toEqual(['kept', 'kept', 'kept', 'failed'])
    expect(await settings()).toEqual(['a', 'b', 'c'])
    expect(runs.join('')).toBe('ababbcddddd')
  })

  test('a change runs in the context of its caller, and its transaction ends with it', async () => {
    const context = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    let kept: Tx | undefined
    const change = async (tx: Tx) => {
      kept = tx
      await set(`of-${context.getStore()}`)(tx)
      seen.push(context.getStore())
    }
    await Promise.all(await atOnce(() => ['a', 'b', 'c'].map((name) => context.run(name, () => db.write(change)))))
    expect(seen).toEqual(['a', 'b', 'c'])
    if (kept === undefined) throw new Error('No change has run')
    await expect(set('too-late')(kept)).rejects.toThrow('has ended')
    expect(await settings()).toEqual(['of-a', 'of-b', 'of-c'])
  })

  test('queued changes are finished when the database is closed', async () => {
    const other = await driver.place()
    const closing = await other.open()
    const changes = ['a', 'b', 'c'].map((name) => closing.write(set(name)))
    await closing.close()
    expect(await ends(changes)).toEqual(['kept', 'kept', 'kept'])
    await other.remove()
  })
})
