import { createImpactReports, type ImpactReports } from '@burgee/server/delivery/impact/impact-reports'
import { DEFAULT_COLLECTION_LIMITS } from '@burgee/serving/impact/impact-bounds'
import { createColumns, foldPacked, getWidth, MINUTES } from '@burgee/storage/queries/impact/impact-points'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts'
import { endWorldNodes, openNodeDatabase, startWorldNode, type WorldNode } from '../world-nodes.ts'

/** Gauges of connections that report to two nodes, as behind a load balancer. */
const SECOND = 1000
const MINUTE = 60 * SECOND

let place: FreshDatabase
let now = Date.parse('2027-01-01T00:00:00Z')
let metric = ''
let count = 0
let first: ImpactReports
let second: ImpactReports
let reading: WorldNode

beforeAll(async () => {
  place = await freshDatabase()
  await (await openNodeDatabase(place.url)).close()
  first = await startReports()
  second = await startReports()
  reading = await startWorldNode(place.url)
})
afterAll(async () => {
  await endWorldNodes()
  await place.remove()
})
beforeEach(() => {
  count += 1
  metric = `mem_${count}`
  // after three minutes, the gauges of the previous test no longer count
  now += 10 * MINUTE - (now % MINUTE)
})

async function startReports(): Promise<ImpactReports> {
  const { world } = await startWorldNode(place.url)
  return createImpactReports({ ...world, clock: () => now }, { limits: DEFAULT_COLLECTION_LIMITS, isExposed: false })
}

function report(node: ImpactReports, connection: string, value: number): void {
  const samples = [{ labels: { appName: 'shop' }, value }]
  const from = { id: connection, origin: 'sdk', isPublic: false, intervalMs: MINUTE } as const
  const scope = { environment: 'development', projects: ['default'] }
  node.add(scope, [{ name: metric, help: '', type: 'gauge', samples }], from)
}

/** Makes both nodes write as they do every ten seconds, until the gauges of the last minute are stored. */
async function write(): Promise<void> {
  for (let seconds = 0; seconds <= 20; seconds += 10) {
    await Promise.all([first.flush(), second.flush()])
    now += 10 * SECOND
  }
}

/** Returns the sum of the gauge and the number of its connections for the minute that began at a time. */
async function readMinute(minute: number): Promise<number[]> {
  const rows = await reading.world.db.reader
    .selectFrom('impact_points as p')
    .innerJoin('impact_series as s', 's.id', 'p.series_id')
    .innerJoin('impact_metrics as m', 'm.id', 's.metric_id')
    .select(['p.start', 'p.packed'])
    .where('m.name', '=', metric)
    .execute()
  const resolution = { step: MINUTE, span: MINUTE }
  const target = { ...resolution, start: minute, columns: createColumns(getWidth('gauge', 0), resolution) }
  for (const { start, packed } of rows) foldPacked(target, { ...MINUTES, start: Number(start), packed }, 'gauge')
  return target.columns.slice(0, 2).map((column) => column[0] ?? 0)
}

test('a connection that reports to another node in each minute counts once', async () => {
  const nodes = [first, second]
  const minutes: number[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    minutes.push(now)
    const [here, there] = turn % 2 === 0 ? nodes : nodes.toReversed()
    report(here as ImpactReports, 'a', 10 + turn)
    report(there as ImpactReports, 'b', 100 + turn)
    now += MINUTE
    await write()
    now = (minutes.at(-1) ?? 0) + MINUTE
  }
  now += MINUTE
  await write()
  expect(await Promise.all(minutes.map(readMinute))).toEqual([0, 1, 2, 3].map((turn) => [110 + 2 * turn, 2]))
})

test('the last of several reports before the end of a minute counts', async () => {
  const minute = now
  report(first, 'a', 1)
  now += 10 * SECOND
  report(second, 'a', 2)
  now += 49 * SECOND
  report(first, 'a', 3)
  now += 2 * SECOND
  report(second, 'a', 4)
  await write()
  expect(await readMinute(minute)).toEqual([3, 1])
  now = minute + 2 * MINUTE
  await write()
  expect(await readMinute(minute + MINUTE)).toEqual([4, 1])
})

test('connections of one node each are added up', async () => {
  const minute = now
  report(first, 'a', 1)
  report(second, 'b', 2)
  now += MINUTE
  await write()
  expect(await readMinute(minute)).toEqual([3, 2])
})

test('a node that ends counts what it got', async () => {
  const ending = await startReports()
  const minute = now
  report(ending, 'a', 5)
  now += MINUTE
  await ending.close()
  expect(await readMinute(minute)).toEqual([5, 1])
})
