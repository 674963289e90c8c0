import { pinnedTo } from '../measured-process.ts'
import { median } from '../statistics.ts'
import { type ContestantData, fillAlike } from './alike.ts'
import { type Contestant, type ContestantName, startContestant } from './contestant.ts'
import { type Load, type LoadSlice, startLoad } from './load.ts'
import { peerScript } from './peer-package.ts'
import { openPostgresDatabases } from './postgres-databases.ts'
import { type BesideScene, changesAndDownloads, READS, WRITES } from './scenes.ts'

/** Size, duration and selection of measurements. */
export interface BesideEffort {
  readonly features: number
  readonly rounds: number
  readonly sliceMs: number
  /** Returns true if the row with this name is selected. */
  readonly isWanted: (name: string) => boolean
}

/** Result of one kind of request on one of the compared servers; medians over the rounds. */
export interface BesideFigures {
  readonly requestsPerSecond: number
  /** CPU time of the server process per request. */
  readonly cpuUs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Results of one kind of request on all compared servers; without Unleash if it is not available. */
export interface BesideRow {
  readonly scene: string
  readonly by: Readonly<Partial<Record<ContestantName, BesideFigures>>>
}

/** Measurement of the first download after a change. */
export interface FirstDownload {
  readonly downloadMs: number
  /** Longest stall of the event loop between the start of the change and the end of the download. */
  readonly stallMs: number
}

/** All comparisons with Unleash. */
export interface Beside {
  readonly features: number
  readonly writes: readonly BesideRow[]
  readonly reads: readonly BesideRow[]
  readonly firstDownload: Readonly<Partial<Record<ContestantName, FirstDownload>>>
}

/** One of the compared servers, filled with data. */
interface Prepared {
  readonly contestant: Contestant
  readonly data: ContestantData
  /** Number of requests sent so far, by the name of the cycle that they belong to. */
  readonly requestsSent: Map<string, number>
}

const WARM_UP_MS = 2000
/** Several connections, because a single one would send too few requests to warm up the code. */
const WARM_UP_CONNECTIONS = 16
/** Even number, so that every flag that is disabled is enabled again. */
const FIRST_DOWNLOADS_OF_A_ROUND = 6

const PART = 'beside: '
const FIRST_DOWNLOAD = 'first download after a change'

/**
 * Fills Unleash, our server on PostgreSQL and our server on its embedded database with the same data. Measures them
 * alternately. Returns undefined if no row is selected.
 */
export async function measureBeside(
  { isWanted, ...effort }: BesideEffort,
  report: (row: BesideRow) => void,
): Promise<Beside | undefined> {
  const names = [...READS, ...WRITES].map(({ name }) => name)
  const wanted = new Set([...names, FIRST_DOWNLOAD].filter((name) => isWanted(PART + name)))
  return wanted.size === 0 ? undefined : measureOn({ ...effort, wanted }, report)
}

type Plan = Omit<BesideEffort, 'isWanted'> & { readonly wanted: ReadonlySet<string> }

async function measureOn(effort: Plan, report: (row: BesideRow) => void): Promise<Beside> {
  const databases = await openPostgresDatabases()
  const load = startLoad(pinnedTo(1))
  const contestants: Contestant[] = []
  try {
    const script = peerScript()
    if (script !== undefined) {
      contestants.push(await startContestant({ name: 'peer', script, databaseUrl: await databases.create() }))
    }
    contestants.push(await startContestant({ name: 'postgres', databaseUrl: await databases.create() }))
    contestants.push(await startContestant({ name: 'sqlite' }))
    const prepared: Prepared[] = []
    for (const contestant of contestants) {
      prepared.push({ contestant, data: await fillAlike(contestant, load, effort.features), requestsSent: new Map() })
    }
    return await measureAll(prepared, load, effort, report)
  } finally {
    load.stop()
    await Promise.all(contestants.map((contestant) => contestant.stop()))
    await databases.close()
  }
}

async function measureAll(
  prepared: readonly Prepared[],
  load: Load,
  effort: Plan,
  report: (row: BesideRow) => void,
): Promise<Beside> {
  const { features, wanted } = effort
  const measured = async (scenes: readonly BesideScene[]) => {
    const rows: BesideRow[] = []
    for (const scene of scenes.filter(({ name }) => wanted.has(name))) {
      const row = await measureScene(scene, prepared, load, effort)
      report(row)
      rows.push(row)
    }
    return rows
  }
  // measures read requests first, because changes leave the servers in different states
  const reads = await measured(READS)
  const firstDownload = wanted.has(FIRST_DOWNLOAD) ? await measureFirstDownloads(prepared, load, effort) : {}
  return { features, reads, firstDownload, writes: await measured(WRITES) }
}

async function measureScene(
  scene: BesideScene,
  prepared: readonly Prepared[],
  load: Load,
  { rounds, sliceMs }: Plan,
): Promise<BesideRow> {
  const played = new Map<ContestantName, BesideFigures[]>()
  const players = []
  for (const one of prepared) {
    const requests = await scene.requests(one.contestant, one.data)
    const cycle = scene.cycle ?? scene.name
    players.push(async (durationMs: number, connections = scene.connections) => {
      const first = one.requestsSent.get(cycle) ?? 0
      const slice = { port: one.contestant.port, requests, first, durationMs, connections }
      const figures = await playSlice(one.contestant, load, { ...slice, leastRequests: 1, lanes: 1 }, scene)
      one.requestsSent.set(cycle, first + figures.requests)
      return { name: one.contestant.name, figures }
    })
  }
  for (const play of players) await play(WARM_UP_MS, WARM_UP_CONNECTIONS)
  for (let round = 0; round < rounds; round += 1) {
    for (const play of players) {
      const { name, figures } = await play(sliceMs)
      played.set(name, [...(played.get(name) ?? []), figures])
    }
  }
  return { scene: scene.name, by: Object.fromEntries([...played].map(([name, all]) => [name, getMedianFigures(all)])) }
}

async function playSlice(contestant: Contestant, load: Load, slice: LoadSlice, { name, status }: BesideScene) {
  const before = await contestant.account()
  const { requests, elapsedMs, statuses, lanes } = await load.play(slice)
  const after = await contestant.account()
  const wrong = Object.keys(statuses).filter((one) => one !== status)
  if (wrong.length > 0) throw new Error(`${contestant.name}, ${name}: ${JSON.stringify(statuses)}`)
  const cpuUs = (after.cpuUs - before.cpuUs) / requests
  const { p50Ms = 0, p99Ms = 0 } = lanes[0] ?? {}
  return { requests, requestsPerSecond: (requests / elapsedMs) * 1000, cpuUs, p50Ms, p99Ms }
}

function getMedianFigures(all: readonly BesideFigures[]): BesideFigures {
  const of = (key: keyof BesideFigures) => median(all.map((one) => one[key]))
  return { requestsPerSecond: of('requestsPerSecond'), cpuUs: of('cpuUs'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') }
}

/** Measures downloads that directly follow a change, one at a time on one connection. */
async function measureFirstDownloads(
  prepared: readonly Prepared[],
  load: Load,
  { rounds }: Plan,
): Promise<Beside['firstDownload']> {
  const seen = new Map<ContestantName, FirstDownload[]>()
  const common = { durationMs: 0, leastRequests: 2, connections: 1, lanes: 2 }
  let first = 0
  for (let round = 0; round < rounds * FIRST_DOWNLOADS_OF_A_ROUND; round += 1) {
    for (const { contestant, data } of prepared) {
      await contestant.stall()
      const { lanes } = await load.play({
        ...common,
        port: contestant.port,
        requests: changesAndDownloads(data.features),
        first,
      })
      const figures = { downloadMs: lanes[1]?.maxMs ?? 0, stallMs: await contestant.stall() }
      seen.set(contestant.name, [...(seen.get(contestant.name) ?? []), figures])
    }
    first += 2
  }
  return Object.fromEntries(
    [...seen].map(([name, all]) => {
      const of = (key: keyof FirstDownload) => median(all.map((one) => one[key]))
      return [name, { downloadMs: of('downloadMs'), stallMs: of('stallMs') }]
    }),
  )
}
