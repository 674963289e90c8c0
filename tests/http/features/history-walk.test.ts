import { createRandom } from '@burgee/kit/seeded-random'
import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type {
  FlagHistory,
  FlagHistoryPoint,
  FlagSnapshot,
  SegmentSnapshot,
} from '@burgee/protocol/administration/flag-history'
import type { PlaygroundResponse } from '@burgee/protocol/playground'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { flagChanges, type Places } from './history-changes.ts'

/**
 * Past states of a flag are derived from events. The test records the state after each of many random admin API
 * changes, and compares it with the state derived for that event.
 */
const CHANGES = 450
const SEEDS = [1, 2]
const A = '/api/admin'

/** State that was recorded after an event. */
interface Recorded {
  readonly event: number
  readonly call: string
  readonly flags: ReadonlyMap<string, FlagSnapshot>
  readonly segments: ReadonlyMap<number, SegmentSnapshot>
  /** Playground results, which are recorded only for some events. */
  readonly played: PlaygroundResponse | undefined
}

let server: TestServer

const get = async <T>(path: string): Promise<T> => (await server.call({ as: 'admin', call: `GET ${path}` })).json() as T

function asThen(flag: AdminFeature): FlagSnapshot {
  const { name, project, type, description, impressionData, stale, createdAt, archivedAt, tags, links } = flag
  const environments = flag.environments
    .map(({ name: place, enabled, strategies, variants }) => ({ name: place, enabled, strategies, variants }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const dependencies = flag.dependencies as FlagSnapshot['dependencies']
  return {
    name,
    project,
    type,
    description,
    impressionData,
    stale,
    createdAt,
    archivedAt,
    environments,
    dependencies,
    tags,
    links,
  }
}

async function look(): Promise<{
  places: Places
  flags: Map<string, FlagSnapshot>
  segments: Map<number, SegmentSnapshot>
}> {
  const { projects } = await get<{ projects: { id: string }[] }>(`${A}/projects`)
  const names: { name: string; project: string }[] = []
  for (const { id } of projects) {
    for (const path of [`${A}/projects/${id}/features`, `${A}/archive/features/${id}`]) {
      const { features } = await get<{ features: { name: string }[] }>(path)
      names.push(...features.map(({ name }) => ({ name, project: id })))
    }
  }
  const flags = new Map<string, FlagSnapshot>()
  for (const { name, project } of names) {
    flags.set(name, asThen(await get<AdminFeature>(`${A}/projects/${project}/features/${name}/overview`)))
  }
  const { segments } = await get<{ segments: SegmentSnapshot[] }>(`${A}/segments`)
  const seen = segments.map(({ id, name, description, project, constraints }): [number, SegmentSnapshot] => [
    id,
    { id, name, description, project, constraints },
  ])
  const { environments } = await get<{ environments: { name: string }[] }>(`${A}/environments`)
  const places = { environments: environments.map(({ name }) => name), projects: projects.map(({ id }) => id) }
  return { places, flags, segments: new Map(seen) }
}

/** Number of changes between two recordings of the playground. */
const PLAYED_EVERY = 15
/** Evaluates all flags for two users, optionally at a past event. */
async function play(moment: { readonly event?: number } = {}): Promise<PlaygroundResponse> {
  const body = {
    environments: ['development', 'production'],
    projects: '*',
    context: { appName: 'shop', userId: 'anna,7', currentTime: '2030-01-01T00:00:00Z' },
    ...moment,
  }
  const reply = await server.call({ as: 'admin', call: `POST ${A}/playground/advanced`, body })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json() as PlaygroundResponse
}

/** Event types written so far. */
const kinds = new Set<string>()

async function walk(seed: number): Promise<Recorded[]> {
  const roll = createRandom(seed)
  const recorded: Recorded[] = []
  let seen = await look()
  for (let done = 0; done < CHANGES; done += 1) {
    const change = await flagChanges(roll, { ...seen, call: server.call })
    if (change === undefined) continue
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'admin', ...change })
    expect(reply.statusCode, `${change.call} ${reply.body}`).toBeLessThan(500)
    const event = await server.lastEventId()
    if (event === last) continue
    for (const type of await server.eventsAfter(last)) kinds.add(type)
    seen = await look()
    const played = recorded.length % PLAYED_EVERY === 0 ? await play() : undefined
    recorded.push({ event, call: change.call, flags: seen.flags, segments: seen.segments, played })
  }
  return recorded
}

/** Returns all projects that a flag was ever in, because the path of a request must contain one of them. */
function projectsOf(recorded: readonly Recorded[], name: string): string[] {
  return [...new Set(recorded.flatMap(({ flags }) => flags.get(name)?.project ?? []))]
}

async function rebuilt(name: string, project: string, event: number): Promise<FlagHistory> {
  return await get<FlagHistory>(`${A}/projects/${project}/features/${name}/history?event=${event}`)
}

/** Describes events that may have made the past state unknown. */
async function explained(told: string, name: string, moment: FlagHistoryPoint): Promise<string> {
  const { eventId, why } = moment.knownFrom ?? {}
  const rows = await server.db.rows(
    'select id, type, environment, data, pre_data, undo from events where id <= ? and (feature_name = ? or feature_name is null) order by id desc limit 3',
    eventId ?? 0,
    name,
  )
  return `${told}: ${why} at ${JSON.stringify(rows)}`
}

/**
 * Rebuilds the flag at the event of the first record, and compares the result with that record. Returns the number of
 * comparisons.
 */
async function compareAt(recorded: readonly Recorded[], name: string): Promise<number> {
  const [now] = recorded
  const expected = now?.flags.get(name)
  const project = expected?.project ?? projectsOf(recorded, name)[0]
  if (now === undefined || project === undefined) return 0
  const { moment } = await rebuilt(name, project, now.event)
  const told = `${name} after ${now.call} (event ${now.event})`
  if (expected === undefined) {
    expect(moment?.flag ?? null, told).toBeNull()
    return 0
  }
  expect(moment.isKnown, moment.isKnown ? told : await explained(told, name, moment)).toBe(true)
  const environments = moment.flag?.environments.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect({ ...moment.flag, environments }, told).toEqual(expected)
  const used = [...new Set(expected.environments.flatMap((one) => one.strategies.flatMap((own) => own.segments)))]
  expect(moment.segments, told).toEqual(used.sort((a, b) => a - b).map((id) => now.segments.get(id)))
  return 1
}

/** Event types that the walks must write to be meaningful. */
const NEEDED = [
  ...['feature-created', 'feature-metadata-updated', 'feature-stale-on', 'feature-stale-off', 'feature-archived'],
  ...['feature-revived', 'feature-deleted', 'feature-project-change', 'feature-tagged', 'feature-untagged'],
  ...['feature-environment-enabled', 'feature-environment-disabled', 'feature-strategy-add', 'feature-strategy-update'],
  ...['feature-strategy-remove', 'strategy-order-changed', 'feature-environment-variants-updated'],
  ...['feature-dependency-added', 'feature-dependency-removed', 'feature-link-added', 'feature-link-updated'],
  ...['feature-link-removed', 'project-environment-added', 'project-environment-removed', 'environment-created'],
  ...['segment-created', 'segment-updated', 'segment-deleted', 'tag-deleted', 'tag-type-deleted', 'features-imported'],
]

describe.each(SEEDS)('a flag is what it was at every event of a random walk (%i)', (seed) => {
  let recorded: Recorded[]
  beforeAll(async () => {
    server = await startServer()
    await server.admin(`POST ${A}/projects`, { id: 'shop', name: 'Shop' })
    recorded = await walk(seed)
  }, 240_000)
  afterAll(() => server.close())

  test('rebuilds the recorded state', { timeout: 240_000 }, async () => {
    const names = [...new Set(recorded.flatMap(({ flags }) => [...flags.keys()]))].sort()
    const roll = createRandom(seed + 1000)
    let compared = 0
    for (const [index, { flags }] of recorded.entries()) {
      const before = recorded[index - 1]?.flags
      for (const name of names) {
        const isTouched = JSON.stringify(before?.get(name)) !== JSON.stringify(flags.get(name))
        if (isTouched || roll() < 0.15) compared += await compareAt(recorded.slice(index), name)
      }
    }
    expect(compared).toBeGreaterThan(recorded.length)
  })

  test('the playground as of an event repeats the results recorded then', { timeout: 240_000 }, async () => {
    let [results, unknown] = [0, 0]
    for (const { event, call, played } of recorded) {
      if (played === undefined) continue
      const then = await play({ event })
      const names = new Set(then.warnings?.unknownFlags?.map(({ name }) => name))
      const expected = played.features.filter(({ name }) => !names.has(name))
      expect(then.features, `after ${call} (event ${event})`).toEqual(expected)
      results += expected.length
      unknown += names.size
    }
    expect(results).toBeGreaterThan(recorded.length / PLAYED_EVERY)
    expect(unknown).toBe(0)
  })
})

test('all kinds of changes were among them', () => {
  expect(NEEDED.filter((type) => !kinds.has(type))).toEqual([])
})
