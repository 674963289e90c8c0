import { computeWeakEtag } from '@burgee/kit/http/etag'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { FollowingCatalog } from '@burgee/server/admin/catalog/catalog'
import { createChangeCounterCache } from '@burgee/server/admin/catalog/change-counter-cache'
import { createFavorites } from '@burgee/server/admin/catalog/favorites'
import { createPageCache } from '@burgee/server/admin/catalog/page-cache'
import { createFlagOrigins } from '@burgee/server/admin/config/flag-origins'
import { createFeature, updateFeature } from '@burgee/server/admin/flags/features'
import { createFlagPages } from '@burgee/server/admin/flags/flag-pages'
import { archiveFeature, reviveFeatures } from '@burgee/server/admin/flags/lifecycle'
import { setEnabled } from '@burgee/server/admin/flags/switch-flag'
import { createSdkGaps } from '@burgee/server/admin/usage/sdk-gaps'
import { execute } from '@burgee/server/core/execute'
import { SYSTEM } from '@burgee/server/core/world'
import { createRevisions } from '@burgee/server/delivery/events/event-revisions'
import type { OpenBroadcast } from '@burgee/server/delivery/events/shared-broadcast'
import { createUsage } from '@burgee/server/delivery/usage/usage-buffer'
import type { Database } from '@burgee/storage/database'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { featureListOf } from '../../http/features/flag-oracle.ts'
import { casesOf } from '../../support/cases.ts'
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts'
import { deaf, endWorldNodes, startWorldNode } from '../world-nodes.ts'

/** Views of the same flags on two nodes. Neither node gets notifications, so both learn of changes only by polling. */
const RUNS = casesOf('walks on two nodes', { some: 8, full: 15, long: 100 }, process.env.BURGEE_FUZZ_RUNS)
const MARKS_MS = 500

let place: FreshDatabase
let nodes: Awaited<ReturnType<typeof startNode>>[]
beforeAll(async () => {
  place = await freshDatabase()
  nodes = [await startNode(), await startNode()]
})
afterAll(async () => {
  for (const { catalog } of nodes) await catalog.close()
  await endWorldNodes()
  await place.remove()
})

async function startNode() {
  // disable the node's own polling, twice a second, which would only make the test nondeterministic
  const { world } = await startWorldNode(place.url, (db: Database) => deaf(db))
  let now = Date.now()
  const monotonic = monotonicClock(() => now)
  const marks = createChangeCounterCache({ db: world.db, monotonic })
  const catalog = new FollowingCatalog({ ...world, changeCounters: marks })
  const favorites = createFavorites(world)
  const replies = createPageCache(1_000_000)
  const sources = { catalog, favorites, flagOrigins: createFlagOrigins(world), sdkGaps: createSdkGaps(world) }
  const pages = createFlagPages({ ...sources, pageCache: replies })
  const revisions = createRevisions(world.broadcast as OpenBroadcast)
  const later = () => {
    now += MARKS_MS
  }
  return { world, catalog, pages, revisions, usage: createUsage(world, marks.invalidate), later }
}

const [one, other] = [() => nodeAt(0), () => nodeAt(1)]
function nodeAt(index: number) {
  const node = nodes[index]
  if (node === undefined) throw new Error(`There is no node ${index}`)
  return node
}
type Node = ReturnType<typeof nodeAt>

const list = (node: Node) => node.pages.list({ project: 'default' })
const bodyOf = async (node: Node) => JSON.parse((await list(node)).bytes().toString())
const namesAt = async (node: Node): Promise<string[]> =>
  (await bodyOf(node)).features.map(({ name }: { name: string }) => name)

test('the other node may lag behind a change, but not for a request with the revision of the change', async () => {
  await Promise.all([list(one()), list(other())])
  const lags: boolean[] = []
  for (let round = 0; round < 20; round += 1) {
    const [writer, reader] = round % 2 === 0 ? [one(), other()] : [other(), one()]
    await execute(writer.world, SYSTEM, createFeature, { project: 'default', body: { name: `lag-${round}` } })
    expect(await namesAt(writer)).toContain(`lag-${round}`)
    lags.push(!(await namesAt(reader)).includes(`lag-${round}`))
    await reader.revisions.waitFor(writer.revisions.now())
    expect(await namesAt(reader)).toContain(`lag-${round}`)
  }
  expect(lags).toContain(true)
})

test('a wait for a revision fails within a second if the database does not answer', async () => {
  const heard = () => ({ id: 1, epoch: 'x' })
  const hung = createRevisions({ lastReceived: heard, poll: () => new Promise(() => {}) })
  await expect(hung.waitFor('2:x')).rejects.toThrow('does not respond')
  const failing = createRevisions({ lastReceived: heard, poll: async () => false })
  await expect(failing.waitFor('2:x')).rejects.toThrow('does not respond')
  await expect(failing.waitFor('1:x')).resolves.toBeUndefined()
})

const FLAGS = ['walk-a', 'walk-b']
const KINDS: Readonly<Record<string, (node: Node, feature: string, pick: number) => Promise<unknown>>> = {
  create: ({ world }, name) => execute(world, SYSTEM, createFeature, { project: 'default', body: { name } }),
  turn: ({ world }, feature, pick) =>
    execute(world, SYSTEM, setEnabled, {
      project: 'default',
      environment: 'development',
      feature,
      enabled: pick % 2 === 0,
      activate: false,
    }),
  describe: ({ world }, feature, pick) =>
    execute(world, SYSTEM, updateFeature, { project: 'default', feature, body: { description: `${pick % 3}` } }),
  archive: ({ world }, feature) => execute(world, SYSTEM, archiveFeature, { project: 'default', feature }),
  revive: ({ world }, feature) => execute(world, SYSTEM, reviveFeatures, { project: 'default', features: [feature] }),
  use: async ({ usage }, feature) => {
    const reporter = { key: 'test', environment: 'development', projects: ['*'], isPublic: false }
    const stop = Date.now()
    usage.count(reporter, 'app', { start: stop, stop, toggles: { [feature]: { yes: 1, no: 0 } } })
    await usage.flush()
  },
  nothing: async () => {},
}

const STEPS = fc.array(
  fc.record({
    kind: fc.constantFrom(...Object.keys(KINDS)),
    feature: fc.constantFrom(...FLAGS),
    pick: fc.nat(9),
    writer: fc.nat(1),
  }),
  { minLength: 8, maxLength: 16 },
)

test('a page keeps its tag exactly while it equals the database, on either node', async () => {
  const counts = { same: 0, another: 0 }
  let before = ''
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      for (const { kind, feature, pick, writer } of steps) {
        // operations that are invalid in the current state are rejected and change nothing
        await KINDS[kind]?.(nodeAt(writer), feature, pick).catch(() => {})
        const revision = nodeAt(writer).revisions.now()
        const truth = { version: 2, features: await featureListOf(one().world.db.reader, { project: 'default' }) }
        const tag = computeWeakEtag(JSON.stringify(truth))
        for (const node of [one(), other()]) {
          await node.revisions.waitFor(revision)
          node.later()
          expect((await list(node)).etag, JSON.stringify({ kind, feature, writer })).toBe(tag)
        }
        counts[tag === before ? 'same' : 'another'] += 1
        before = tag
      }
    }),
    { seed: 20260101, numRuns: RUNS },
  )
  expect(Math.min(counts.same, counts.another)).toBeGreaterThan(RUNS)
})
