import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createFeature } from '@burgee/server/admin/flags/features'
import { addStrategy } from '@burgee/server/admin/flags/strategies'
import { setEnabled } from '@burgee/server/admin/flags/switch-flag'
import { type Change, execute, record } from '@burgee/server/core/execute'
import { SYSTEM, type World } from '@burgee/server/core/world'
import { createDocuments } from '@burgee/server/delivery/documents/documents'
import { createBroadcast } from '@burgee/server/delivery/events/broadcast'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { FLAGS_PER_QUERY } from '@burgee/storage/chunks'
import type { Database, Schema } from '@burgee/storage/database'
import { readEnvironment } from '@burgee/storage/document-flags'
import { readRevision } from '@burgee/storage/epochs'
import { classifyDbError } from '@burgee/storage/errors'
import { listEventsAfter } from '@burgee/storage/queries/events/event-tail'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import { addUsage, touchFeatures } from '@burgee/storage/queries/usage/usage'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_SECRETS } from '../support/place.ts'
import { DRIVERS, type Place } from './drivers.ts'

function worldOver(db: Database): World {
  const base = { clock: Date.now, monotonic: PROCESS_CLOCK, random: randomBytes, logger: SILENT, secrets: NO_SECRETS }
  return { db, ...base, broadcast: createBroadcast(SILENT) }
}

/** Contract that every driver of a database must fulfill. */
/** Restore callback: the database is never restored in these tests. */
const never = () => {
  throw new Error('The database was taken for a restored one')
}

describe.each(DRIVERS)('$name', (driver) => {
  let place: Place
  let db: Database
  let world: World
  let queries: string[] = []

  beforeAll(async () => {
    place = await driver.place()
    db = await place.open({ onQuery: (text) => queries.push(text) })
    world = worldOver(db)
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  const create = (name: string) => execute(world, SYSTEM, createFeature, { project: 'default', body: { name } })
  const countEvents = async () =>
    Number(
      (
        await db.reader
          .selectFrom('events')
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirst()
      )?.n,
    )

  const eventsOf = async (flag: string) =>
    (await listEventsAfter(db.reader, 0, { limit: 10_000 })).filter((event) => event.featureName === flag)

  test('a new database has a project, two environments and a type of tags', async () => {
    expect(await db.reader.selectFrom('projects').select('id').execute()).toEqual([{ id: 'default' }])
    const environments = await db.reader
      .selectFrom('environments')
      .select(['name', 'enabled'])
      .orderBy('name')
      .execute()
    expect(environments).toEqual([
      { name: 'development', enabled: 1 },
      { name: 'production', enabled: 1 },
    ])
    expect(await db.reader.selectFrom('project_environments').selectAll().execute()).toHaveLength(2)
    expect(await db.reader.selectFrom('tag_types').select('name').execute()).toEqual([{ name: 'simple' }])
  })

  test('opening again changes nothing', async () => {
    const other = await driver.place()
    const first = await other.open()
    const firstWorld = worldOver(first)
    await execute(firstWorld, SYSTEM, createFeature, { project: 'default', body: { name: 'kept' } })
    await first.close()
    const second = await other.open()
    expect(await second.reader.selectFrom('features').select('name').execute()).toEqual([{ name: 'kept' }])
    expect(await second.reader.selectFrom('projects').select('id').execute()).toHaveLength(1)
    await second.close()
    await other.remove()
  })

  test('state and event commit together', async () => {
    const before = await countEvents()
    await create('together')
    expect(await countEvents()).toBe(before + 1)
    expect(await eventsOf('together')).toMatchObject([
      {
        type: 'feature-created',
        createdBy: 'system',
        createdByUserId: -1337,
        data: { name: 'together' },
        preData: null,
      },
    ])
  })

  test.each([
    [
      'a change that fails late',
      async (tx, _input, moment) => {
        await createFeature(tx, { project: 'default', body: { name: 'half' } }, moment)
        throw new Error('late')
      },
    ],
    [
      'an event that cannot be written',
      async (tx, _input, moment) => {
        const { result } = await createFeature(tx, { project: 'default', body: { name: 'half' } }, moment)
        return { result, events: [{ type: 'feature-created', featureName: 'half', data: 1n }] }
      },
    ],
    [
      'a second event that cannot be written',
      async (tx, _input, moment) => {
        const { result, events } = await createFeature(tx, { project: 'default', body: { name: 'half' } }, moment)
        return { result, events: [...events, { type: 'feature-created', data: 1n }] }
      },
    ],
  ] as [string, Change<undefined, unknown>][])(
    '%s leaves neither state nor event, and notifies no subscriber',
    async (_name, change) => {
      const before = await countEvents()
      const heard: unknown[] = []
      const end = world.broadcast.subscribe((events) => void heard.push(...events), never)
      await expect(execute(world, SYSTEM, change, undefined)).rejects.toThrow()
      end()
      expect(heard).toEqual([])
      expect(await countEvents()).toBe(before)
      expect(await db.reader.selectFrom('features').select('name').where('name', '=', 'half').execute()).toEqual([])
      expect(
        await db.reader
          .selectFrom('feature_environments')
          .select('enabled')
          .where('feature_name', '=', 'half')
          .execute(),
      ).toEqual([])
      await create(`after-${before}-${_name.length}`)
    },
  )

  test('a listener that fails does not fail the write', async () => {
    const end = world.broadcast.subscribe(() => {
      throw new Error('deaf')
    }, never)
    await create('heard-by-nobody')
    end()
    expect(await eventsOf('heard-by-nobody')).toHaveLength(1)
  })

  test('fifty concurrent writers: each event arrives once, in the order of ids', async () => {
    const heard: number[] = []
    const end = world.broadcast.subscribe((events) => void heard.push(...events.map((event) => event.id)), never)
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(`many-${index}`)))
    end()
    expect(heard).toHaveLength(50)
    expect(heard).toEqual(heard.toSorted((a, b) => a - b))
    expect(new Set(heard).size).toBe(50)
  })

  test('fifty writers of one name: one wins, one event', async () => {
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => create('wanted')))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(await eventsOf('wanted')).toHaveLength(1)
  })

  test('ids of events are never used again', async () => {
    const last = async () =>
      Number(
        (
          await db.reader
            .selectFrom('events')
            .select(({ fn }) => fn.max('id').as('id'))
            .executeTakeFirst()
        )?.id,
      )
    const before = await last()
    await db.count((tx) => tx.deleteFrom('events').where('id', '=', before).execute())
    await create('after-removal')
    expect(await last()).toBeGreaterThan(before)
  })

  test('the reader cannot write', async () => {
    const writer = db.reader as unknown as Kysely<Schema>
    await expect(writer.insertInto('settings').values({ name: 'x', value: 'y' }).execute()).rejects.toThrow()
    await expect(writer.deleteFrom('features').execute()).rejects.toThrow()
    expect(await db.reader.selectFrom('settings').selectAll().execute()).toEqual([])
  })

  test('a view sees one state, despite concurrent writes', async () => {
    await db.view(async (reader) => {
      const before = await reader.selectFrom('features').select('name').execute()
      await create('meanwhile')
      expect(await reader.selectFrom('features').select('name').execute()).toEqual(before)
    })
    expect(
      await db.reader.selectFrom('features').select('name').where('name', '=', 'meanwhile').execute(),
    ).toHaveLength(1)
  })

  test('text that looks like JSON stays text, JSON comes back as it went', async () => {
    const description = '{"not":"parsed"}'
    await execute(world, SYSTEM, createFeature, { project: 'default', body: { name: 'texts', description } })
    expect(await db.reader.selectFrom('features').select('description').where('name', '=', 'texts').execute()).toEqual([
      { description },
    ])
    const parameters = JSON.parse('{"__proto__":"own","list":"a,b","quote":"\\"\'\\\\","emoji":"🏴"}') as Record<
      string,
      string
    >
    const target = { project: 'default', feature: 'texts', environment: 'development' }
    await execute(world, SYSTEM, addStrategy, { ...target, body: { name: 'userWithId', parameters } })
    const stored = await db.reader
      .selectFrom('feature_strategies')
      .select('parameters')
      .where('feature_name', '=', 'texts')
      .executeTakeFirst()
    expect(JSON.stringify(stored?.parameters)).toBe(JSON.stringify(parameters))
  })

  test('JSON may hold a NUL, escaped', async () => {
    await db.write((tx) =>
      tx
        .updateTable('feature_environments')
        .set({ variants: JSON.stringify([{ name: 'a\0b', weight: 1 }]) })
        .where('feature_name', '=', 'texts')
        .execute(),
    )
    const row = await db.reader
      .selectFrom('feature_environments')
      .select('variants')
      .where('feature_name', '=', 'texts')
      .executeTakeFirst()
    expect(row?.variants).toEqual([{ name: 'a\0b', weight: 1 }])
  })

  test('names are in the order of their bytes', async () => {
    const names = ['sort-b', 'sort-B', 'sort-a', 'Sort-a', 'sort_a', 'sort-A']
    for (const name of names) await create(name)
    const rows = await db.reader
      .selectFrom('features')
      .select('name')
      .where('name', 'in', names)
      .orderBy('name')
      .execute()
    expect(rows.map((row) => row.name)).toEqual(names.toSorted())
  })

  test('transactions that wait for each other both succeed', async () => {
    for (const name of ['left', 'right']) await create(name)
    const touch = (first: string, second: string) =>
      record(world, async (tx) => {
        for (const name of [first, second]) {
          await tx
            .updateTable('features')
            .set(({ eb }) => ({ last_seen_at: eb(eb.fn.coalesce('last_seen_at', eb.lit(0)), '+', 1) }))
            .where('name', '=', name)
            .execute()
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })
    await Promise.all([touch('left', 'right'), touch('right', 'left')])
    const rows = await db.reader
      .selectFrom('features')
      .select('last_seen_at')
      .where('name', 'in', ['left', 'right'])
      .execute()
    expect(rows).toEqual([{ last_seen_at: 2 }, { last_seen_at: 2 }])
  })

  test('errors are classified', async () => {
    const failure = (work: Parameters<typeof db.write>[0]) => db.write(work).catch((error: unknown) => error)
    const twice = await failure((tx) =>
      tx.insertInto('tag_types').values({ name: 'simple', description: null, icon: null }).execute(),
    )
    expect(classifyDbError(twice)).toBe('unique')
    const nowhere = await failure((tx) => tx.insertInto('tags').values({ type: 'nowhere', value: 'x' }).execute())
    expect(classifyDbError(nowhere)).toBe('reference')
    const other = await failure((tx) =>
      tx
        .selectFrom('tags')
        .select('nowhere' as 'type')
        .execute(),
    )
    expect(classifyDbError(other)).toBe('other')
    const nul = await failure((tx) => tx.updateTable('projects').set({ description: 'a\0b' }).execute())
    expect(classifyDbError(nul)).toBe('unstorable')
    expect(classifyDbError(undefined)).toBe('other')
  })

  test('counters add up and stop at the largest safe number', async () => {
    const most = Number.MAX_SAFE_INTEGER
    const count = { environment: 'development', appName: 'a', featureName: 'f', hour: 3_600_000, yes: most - 1, no: 1 }
    const add = () => record(world, (tx) => addUsage(tx, [{ ...count, variants: new Map([['v', most]]) }]))
    await add()
    await add()
    expect(await db.reader.selectFrom('client_metrics').select(['yes', 'no']).execute()).toEqual([{ yes: most, no: 2 }])
    expect(await db.reader.selectFrom('client_metrics_variants').select('count').execute()).toEqual([{ count: most }])
  })

  test('strategies keep the order in which they were added, whatever the clock shows', async () => {
    await create('ordered')
    const target = { project: 'default', feature: 'ordered', environment: 'development' }
    const titles = Array.from({ length: 6 }, (_, index) => `${index}`)
    for (const title of titles) {
      const stuck = { ...world, clock: () => 5000 - Math.floor(Number(title) / 2) }
      await execute(stuck, SYSTEM, addStrategy, { ...target, body: { name: 'default', title } })
    }
    expect((await listStrategies(db.reader, 'ordered')).map((strategy) => strategy.title)).toEqual(titles)
  })

  test('a batch of counts is written in few statements, each count once', async () => {
    const hour = 7_200_000
    const counts = Array.from({ length: 1200 }, (_, index) => ({
      environment: 'development',
      appName: 'batch',
      featureName: `f-${index}`,
      hour,
      yes: index,
      no: 1,
      variants: new Map([['v', index]]),
    }))
    const names = new Set(counts.map(({ featureName }) => featureName))
    for (let times = 0; times < 2; times += 1) {
      queries = []
      await record(world, async (tx) => {
        await addUsage(tx, counts)
        await touchFeatures(tx, new Map([['development', names]]), 1)
      })
      expect(queries.length).toBeLessThanOrEqual(20)
    }
    const rows = await db.reader
      .selectFrom('client_metrics')
      .select(['feature_name', 'yes', 'no'])
      .where('app_name', '=', 'batch')
      .execute()
    const read = new Map(rows.map((row) => [row.feature_name, [row.yes, row.no]]))
    expect(read).toEqual(new Map(counts.map(({ featureName, yes }) => [featureName, [2 * yes, 2]])))
  })

  test('a revision counts only what changes the download of its environment', async () => {
    const revisions = async () => [
      (await readRevision(db.reader, 'development')).id,
      (await readRevision(db.reader, 'production')).id,
    ]
    await create('in-all-environments')
    const [development = 0, production = 0] = await revisions()
    expect(development).toBe(production)
    const target = { project: 'default', feature: 'together', environment: 'production' }
    await execute(world, SYSTEM, setEnabled, { ...target, enabled: true })
    const after = await revisions()
    expect(after[0]).toBe(development)
    expect(after[1]).toBe(production + 2)
    await record(world, async (tx) => {
      await tx.updateTable('features').set({ last_seen_at: 1 }).execute()
    })
    expect(await revisions()).toEqual(after)
  })

  test('a snapshot takes as many queries for 250 flags as for one', async () => {
    const read = async () => {
      queries = []
      const { flags } = await db.view((reader) => readEnvironment(reader, 'development'))
      return { features: flags.map(({ feature }) => feature), count: queries.length }
    }
    const few = await read()
    const make = async (feature: string) => {
      await create(feature)
      await execute(world, SYSTEM, setEnabled, {
        project: 'default',
        feature,
        environment: 'development',
        enabled: true,
      })
    }
    await Promise.all(Array.from({ length: 500 }, (_, index) => make(`big-${index}`)))
    const many = await read()
    expect(many.features.length).toBe(few.features.length + 500)
    expect(many.features.filter((feature) => feature.strategies.length === 1).length).toBeGreaterThanOrEqual(500)
    const partsOf = ({ features }: typeof few) => Math.ceil(features.length / FLAGS_PER_QUERY)
    const perPart = (many.count - few.count) / (partsOf(many) - partsOf(few))
    expect(perPart).toBeLessThanOrEqual(5)
    expect(few.count - perPart * partsOf(few)).toBeLessThanOrEqual(5)
  })

  test('a download is read once per revision, also by a hundred at once', async () => {
    const downloads = createDownloads(createDocuments(world))
    const scope = { environment: 'development', projects: ['*'] }
    // the statement that ends the transaction may come after the result
    const reads = () => queries.filter((sql) => sql.startsWith('select')).length
    queries = []
    await createDownloads(createDocuments(world)).get(scope, false)
    const alone = reads()
    queries = []
    await Promise.all(Array.from({ length: 100 }, () => downloads.get(scope, false)))
    const once = reads()
    await downloads.get(scope, false)
    expect(reads()).toBe(once)
    expect(once).toBe(alone)
    const before = await downloads.get(scope, false)
    await create('one-more')
    const after = await downloads.get(scope, false)
    expect(after.revision.id).toBeGreaterThan(before.revision.id)
    expect(reads()).toBeGreaterThan(once)
  })
})
