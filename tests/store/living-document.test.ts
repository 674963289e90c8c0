import { randomBytes } from 'node:crypto'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createFeature } from '@burgee/server/admin/flags/features'
import { setEnabled } from '@burgee/server/admin/flags/switch-flag'
import { removeEnvironment } from '@burgee/server/admin/projects/environment-removal'
import { createEnvironment } from '@burgee/server/admin/projects/environments'
import { createSegment } from '@burgee/server/admin/targeting/segments'
import { execute } from '@burgee/server/core/execute'
import { SYSTEM, type World } from '@burgee/server/core/world'
import { createDocuments, type Documents } from '@burgee/server/delivery/documents/documents'
import { createBroadcast } from '@burgee/server/delivery/events/broadcast'
import type { Database, Reader } from '@burgee/storage/database'
import { readEnvironment } from '@burgee/storage/document-flags'
import { insertToken } from '@burgee/storage/queries/access/tokens'
import type { OpenedSnapshot } from '@burgee/storage/queries/snapshot/snapshot-state'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { seedInstance } from '../../bench/seed.ts'
import { keptLog } from '../support/kept-log.ts'
import { NO_SECRETS } from '../support/place.ts'
import { until } from '../support/wait.ts'
import { DRIVERS } from './drivers.ts'

/** Documents whose database goes down and recovers. */
describe.each(DRIVERS)('on $name', (driver) => {
  type View = Database['view']
  let db: Database
  let remove: () => Promise<void>
  let world: World
  let documents: Documents
  let follow: (snapshot?: OpenedSnapshot) => Documents
  let log: ReturnType<typeof keptLog>
  let isAway: boolean
  /** Reads of the documents wait for this promise. */
  let gate: Promise<void>
  let queries: number
  /** Number of views that the documents have opened. */
  let views: number

  beforeEach(async () => {
    const place = await driver.place()
    remove = place.remove
    queries = 0
    views = 0
    db = await place.open({
      // not counted, because the documents do not wait for the end of a read
      onQuery: (text) => {
        if (text.toLowerCase() !== 'rollback') queries += 1
      },
    })
    log = keptLog()
    isAway = false
    gate = Promise.resolve()
    const view: View = async <T>(work: (reader: Reader) => Promise<T>) => {
      views += 1
      await gate
      if (isAway) throw new Error('the database is away')
      return db.view(work)
    }
    const broadcast = createBroadcast(log.logger)
    world = {
      db,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: log.logger,
      broadcast,
      secrets: NO_SECRETS,
    }
    follow = (snapshot) => createDocuments({ ...world, db: { ...db, view } }, snapshot)
    documents = follow()
  })
  afterEach(async () => {
    await documents.close()
    await db.close()
    await remove()
  })

  const create = (name: string) => execute(world, SYSTEM, createFeature, { project: 'default', body: { name } })
  const turn = (feature: string, enabled: boolean) =>
    execute(world, SYSTEM, setEnabled, { project: 'default', environment: 'development', feature, enabled })
  const isOn = async (name: string) =>
    (await documents.get('development')).flags.find(({ feature }) => feature.name === name)?.feature.enabled
  const status = () => documents.statuses().get('development')

  const notifyRestored = () =>
    (world.broadcast as ReturnType<typeof createBroadcast>).notifyRestored({ epoch: 'other', id: 1 })

  const DAY_MS = 24 * 3_600_000
  const makeToken = async (environment: string, seenMs: number | null, expiresMs: number | null = null) => {
    if (environment !== '*') {
      await execute(world, SYSTEM, createEnvironment, { name: environment, type: 'test', enabled: true, sortOrder: 9 })
    }
    await db.write((tx) =>
      insertToken(tx, {
        id: environment,
        hash: environment,
        masked: '',
        name: environment,
        type: 'client',
        environment,
        projects: ['*'],
        expires_at: expiresMs,
        created_at: 0,
        seen_at: seenMs,
      }),
    )
  }

  test('a start reads the environments of tokens in use, and others at their first request', async () => {
    const now = Date.now()
    await makeToken('used', now - DAY_MS / 2)
    await makeToken('used-until-later', now - 1, now + DAY_MS)
    await makeToken('unused', now - 2 * DAY_MS)
    await makeToken('never-used', null)
    await makeToken('expired', now - 2, now - 1)
    await makeToken('*', now)
    await documents.readInUse()
    expect([...documents.states().keys()].sort()).toEqual(['development', 'used', 'used-until-later'])
    expect((await documents.get('unused')).flags).toEqual([])
    expect([...documents.states().keys()]).toContain('unused')
  })

  test('a start reads what environments have in common once, and they share it', async () => {
    const start = async (environments: number) => {
      for (let index = tokens; index < environments; index += 1) await makeToken(`used-${index}`, Date.now())
      tokens = environments
      await documents.close()
      documents = follow()
      const before = queries
      await documents.readInUse()
      expect(documents.states().size).toBe(environments + 1)
      return queries - before
    }
    let tokens = 0
    await create('one')
    const [few, many] = [await start(1), await start(7)]
    // the last event of each environment
    expect(many - few).toBe(6)
    await documents.close()
    documents = follow()
    const read = ['development', 'production'].map(async (name) => documents.get(name))
    const [development, production] = await Promise.all(read)
    expect(development?.flags[0]?.name).toBe('one')
    expect(production?.flags[0]).toBe(development?.flags[0])
  })

  test.each([1, 9])('%i environments read together have the flags that each has alone', async (environments) => {
    await seedInstance(db, { features: 300, environments: 10, strategies: 2, seed: environments })
    const names = (await db.reader.selectFrom('environments').select('name').orderBy('name').execute())
      .map(({ name }) => name)
      .slice(0, environments)
    const states = await Promise.all(names.map(async (name) => documents.get(name)))
    for (const [index, state] of states.entries()) {
      const alone = await db.view((reader) => readEnvironment(reader, names[index] ?? ''))
      expect(state.revision).toEqual(alone.revision)
      expect(state.flags.map(({ json, tags }) => ({ json, tags }))).toEqual(
        alone.flags.map(({ feature, tags }) => ({ json: JSON.stringify(feature), tags })),
      )
      expect([...state.segments.values()].map(({ segment }) => segment)).toEqual(alone.segments)
    }
  })

  test('an unreadable row of one environment does not affect the others', async () => {
    await create('one')
    const isUnreadable = { variants: sql<never>`'{'` }
    await db.write((tx) =>
      tx.updateTable('feature_environments').set(isUnreadable).where('environment', '=', 'production').execute(),
    )
    const read = ['development', 'production'].map(async (name) => documents.get(name))
    const [development, production] = await Promise.allSettled(read)
    expect([development?.status, production?.status]).toEqual(['fulfilled', 'rejected'])
  })

  test('at most two passes over the flags run at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const reads = []
    for (const name of ['development', 'production', 'a', 'b', 'c']) {
      reads.push(documents.get(name))
      await Promise.resolve()
    }
    expect(views).toBe(2)
    resolve()
    await Promise.all(reads)
    expect(views).toBe(3)
  })

  test('a hundred concurrent first requests of an environment share one read', async () => {
    await create('one')
    const count = async (callers: number, environment: string) => {
      const before = queries
      const states = await Promise.all(Array.from({ length: callers }, async () => documents.get(environment)))
      expect(new Set(states).size).toBe(1)
      return queries - before
    }
    expect(await count(100, 'production')).toBe(await count(1, 'development'))
  })

  test('a first request that waits too long is rejected, and the next one gets what was read meanwhile', async () => {
    await create('one')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const first = expect(documents.get('development')).rejects.toThrow(/"development" are still being read/)
    await vi.advanceTimersByTimeAsync(10_000)
    await first
    vi.useRealTimers()
    resolve()
    expect((await documents.get('development')).flags.map(({ name }) => name)).toEqual(['one'])
  })

  describe('with the snapshot of a previous process', () => {
    const makeSnapshot = (environments: readonly string[], flag: string): OpenedSnapshot & { parsed: string[] } => {
      const parsed: string[] = []
      const feature = { name: flag, enabled: true, strategies: [], project: 'default' } as never
      return {
        mark: { epoch: 'before', id: 7, madeAt: 1 },
        asOfMs: 5,
        settings: { frontendApiOrigins: [], instanceId: 'i' },
        tokens: [],
        parsed,
        documents: new Map(
          environments.map((environment) => [
            environment,
            {
              revision: { epoch: 'before', id: 7 },
              segments: [],
              *parseFlags() {
                parsed.push(environment)
                yield
                return flag === '' ? undefined : [{ feature, tags: [] }]
              },
            },
          ]),
        ),
      }
    }
    const names = async (environment: string) => (await documents.get(environment)).flags.map(({ name }) => name)
    const startWith = async (snapshot: OpenedSnapshot) => {
      await documents.close()
      documents = follow(snapshot)
    }

    test('an environment is parsed at its first request, once for concurrent callers', async () => {
      const snapshot = makeSnapshot(['development', 'production'], 'saved')
      await startWith(snapshot)
      isAway = true
      expect(snapshot.parsed).toEqual([])
      expect(status()).toEqual({ revision: { epoch: 'before', id: 7 }, behindSinceMs: 5, snapshotAsOfMs: 5 })
      expect(await Promise.all([names('production'), names('production')])).toEqual([['saved'], ['saved']])
      expect(snapshot.parsed).toEqual(['production'])
    })

    test('nothing is parsed once the database can be read', async () => {
      const snapshot = makeSnapshot(['development'], 'saved')
      await startWith(snapshot)
      await notifyRestored()
      await create('stored')
      expect(await names('development')).toEqual(['stored'])
      expect(snapshot.parsed).toEqual([])
    })

    test('the database replaces a document that is parsed while the database comes back', async () => {
      await create('stored')
      await startWith(makeSnapshot(['development'], 'saved'))
      const first = names('development')
      await notifyRestored()
      await first
      await until(async () => (await names('development'))[0] === 'stored')
      expect(status()?.snapshotAsOfMs).toBeUndefined()
    })

    test('flags of another format are not used', async () => {
      await create('stored')
      await startWith(makeSnapshot(['development'], ''))
      expect(await names('development')).toEqual(['stored'])
    })
  })

  test('the document of a deleted environment is dropped, and one created later has higher versions', async () => {
    const environment = { name: 'passing', type: 'development' as const, enabled: true, sortOrder: 9 }
    await execute(world, SYSTEM, createEnvironment, environment)
    const before = await documents.get('passing')
    await execute(world, SYSTEM, removeEnvironment, { name: 'passing', actor: SYSTEM })
    expect([[...documents.states().keys()], [...documents.statuses().keys()]]).toEqual([[], []])
    await execute(world, SYSTEM, createEnvironment, environment)
    const after = await documents.get('passing')
    expect(after.version).toBeGreaterThan(before.version)
    expect([...documents.states().keys()]).toEqual(['passing'])
  })

  test('a change is there once it is made, and is read with what it changed alone', async () => {
    await create('one')
    expect(await isOn('one')).toBe(false)
    for (let index = 0; index < 20; index += 1) await create(`more-${index}`)
    const before = queries
    await turn('one', true)
    const spent = queries - before
    expect(await isOn('one')).toBe(true)
    for (let index = 20; index < 200; index += 1) await create(`more-${index}`)
    const again = queries
    await turn('one', false)
    expect(queries - again).toBeLessThanOrEqual(spent)
    expect(await isOn('one')).toBe(false)
    expect(documents.get('development')).not.toBeInstanceOf(Promise)
  })

  test('a change that reaches all environments is read in as many queries as one of a single environment', async () => {
    await create('one')
    for (const environment of ['development', 'production']) await documents.get(environment)
    const spentBy = async (work: () => Promise<unknown>) => {
      const before = queries
      await work()
      return queries - before
    }
    const changeOf = (environments: string[]) =>
      spentBy(() => {
        const event = { type: 'feature-metadata-updated', featureName: 'one', id: 1 }
        return world.broadcast.publish(environments.map((reach) => ({ ...event, reach }) as never))
      })
    const single = await changeOf(['development'])
    expect(single).toBeGreaterThan(0)
    expect(await changeOf([''])).toBe(single)
    expect(await changeOf(['development', 'production'])).toBe(single)
  })

  test('many flags are read some at a time, and are whole', async () => {
    await seedInstance(db, { features: 600, environments: 1, strategies: 1, seed: 1 })
    const before = queries
    const { flags } = await documents.get('development')
    // five queries for each part, plus five queries
    expect(queries - before).toBeGreaterThanOrEqual(5 * 3)
    const rows = await db.reader.selectFrom('features').select('name').orderBy('name').execute()
    expect(flags.map(({ feature }) => feature.name)).toEqual(rows.map(({ name }) => name))
    const own = db.reader.selectFrom('feature_strategies').select('id').where('environment', '=', 'development')
    const strategies = await own.where('disabled', '=', 0).execute()
    expect(flags.flatMap(({ feature }) => feature.strategies)).toHaveLength(strategies.length)
  })

  test('a change of a segment is there once it is made, and no flag is read for it', async () => {
    await create('one')
    await documents.get('development')
    const body = { name: 's', constraints: [] }
    await execute(world, SYSTEM, createSegment, body as never)
    const { segments, flags } = await documents.get('development')
    expect([...segments.values()].map(({ segment }) => segment.name)).toEqual(['s'])
    expect(flags).toHaveLength(1)
    expect(log.lines).toEqual([])
  })

  test('while the database is away the last good state stays, only older; it follows again by itself', async () => {
    await create('one')
    await documents.get('development')
    isAway = true
    await turn('one', true)
    expect(await isOn('one')).toBe(false)
    expect(status()?.behindSinceMs).toBeGreaterThan(0)
    await until(() => log.lines.length > 0)
    isAway = false
    await until(() => isOn('one'))
    expect(status()?.behindSinceMs).toBeUndefined()
    expect(log.lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1)
  })

  test('only the writer waits for a database that does not answer, and not for long', async () => {
    await create('one')
    await documents.get('development')
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const changed = turn('one', true)
    await until(() => status()?.behindSinceMs !== undefined)
    expect(documents.get('development')).not.toBeInstanceOf(Promise)
    await changed
    expect(await isOn('one')).toBe(false)
    resolve()
    await until(() => isOn('one'))
  })

  test('before the first read a request fails with the cause, and the next one tries again', async () => {
    await create('one')
    isAway = true
    await expect(Promise.resolve(documents.get('development'))).rejects.toThrow('the database is away')
    isAway = false
    expect(await isOn('one')).toBe(false)
  })

  test('changes during a read are read after it: none is lost', async () => {
    await create('one')
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const first = Promise.resolve(documents.get('development'))
    const changes = [turn('one', true), create('two')]
    await new Promise((done) => setTimeout(done, 20))
    resolve()
    await Promise.all([first, ...changes])
    await until(() => isOn('one'))
    await until(async () => (await isOn('two')) === false)
  })

  test('a restored database is read again', async () => {
    await create('one')
    await turn('one', true)
    expect(await isOn('one')).toBe(true)
    await db.write(async (tx) => {
      await tx.updateTable('feature_environments').set({ enabled: 0 }).execute()
    })
    await notifyRestored()
    expect(await isOn('one')).toBe(false)
  })

  test('an unknown environment is empty, and an environment without requests is not read', async () => {
    expect((await documents.get('nowhere')).flags).toEqual([])
    await create('one')
    expect([...documents.statuses().keys()]).toEqual(['nowhere'])
  })
})
