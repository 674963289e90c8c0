import { type Floor, startFloor } from '../floor.ts'
import { RARE_AUTHOR } from '../seed-events.ts'
import { median } from '../statistics.ts'
import { TOKENS } from './contestant.ts'
import { type LargeDatabase, type LargeServer, type LargeSize, withLargeServer } from './large.ts'
import { type Load, type LoadResult, type LoadSlice, startLoad } from './load.ts'
import { requestBytes } from './request.ts'
import { readTag, usageReport } from './scenes.ts'

/** Latency of SDK requests while another load is running. */
export interface LoadedFigures {
  readonly database: LargeDatabase
  readonly name: string
  /** p99 of the latency of 304 responses to SDKs, without and with the other load, in milliseconds. */
  readonly quietP99Ms: number
  readonly p99Ms: number
  /** The same measurements for a raw `node:http` server that only returns 304, with the same other load. */
  readonly floor: { readonly quietP99Ms: number; readonly p99Ms: number }
  /** Requests per second of the other load, and the number of its responses by status. */
  readonly rate: number
  readonly statuses: Readonly<Record<string, number>>
}

/** One kind of request, measured without other load. */
export interface AloneFigures {
  readonly database: LargeDatabase
  readonly name: string
  readonly p50Ms: number
  readonly statuses: Readonly<Record<string, number>>
}

/** Results of a large server on one or both databases. */
export interface LargeRows {
  readonly size: LargeSize
  readonly alone: readonly AloneFigures[]
  readonly underLoad: readonly LoadedFigures[]
}

/** Size, duration and selection of measurements. */
export interface LargeEffort {
  readonly size: LargeSize
  readonly rounds: number
  readonly sliceMs: number
  /** Duration for which usage is reported, because the rate must be sustained. */
  readonly usageMs: number
  readonly databases: readonly LargeDatabase[]
  /** Returns true if the row with this name is selected. */
  readonly isWanted: (name: string) => boolean
}

type Requests = (server: LargeServer) => string[]

/** Load that runs while SDKs send requests. */
interface Disturbance extends Pick<LoadSlice, 'connections' | 'everyMs'> {
  readonly name: string
  readonly requests: Requests
}

const PART = 'large: '
const ADMIN = '/api/admin'
/** Load by SDKs: 200 requests per second. */
const SDK_CONNECTIONS = 4
const SDK_EVERY_MS = 20
const USAGE_CONNECTIONS = 50
const USAGE_EVERY_MS = 10
const DIFFERENT_REPORTS = 500
const TIMES_ALONE = 11
/** Warm-up with both loads together, so that the server is in a steady state. */
const WARM_UP_MS = 3000

const get = (path: string) => requestBytes({ path: ADMIN + path, token: TOKENS.admin })
const search: Requests = () => [get(`/search/events?query=${RARE_AUTHOR}`), get('/search/events?query=feature-00007')]
const playground: Requests = () => [
  requestBytes({
    method: 'POST',
    path: `${ADMIN}/playground/advanced`,
    token: TOKENS.admin,
    body: {
      environments: ['development', 'production', 'stage-1', 'stage-2', 'stage-3'],
      projects: '*',
      context: { appName: 'bench', userId: 'user-7' },
    },
  }),
]

/** Target for usage reports accepted per second. */
export const REPORTS_PER_SECOND = (1000 / USAGE_EVERY_MS) * USAGE_CONNECTIONS
/** Name of the row about usage reports. */
export const USAGE = '304 under usage'

const DISTURBANCES: readonly Disturbance[] = [
  { name: '304 under event search', connections: 2, requests: search },
  { name: '304 under playground over all flags', connections: 1, requests: playground },
  {
    name: '304 under 20 list calls at once',
    connections: 20,
    requests: () => [get('/projects/default/features'), get('/search/features?limit=100&sortBy=name')],
  },
  {
    name: USAGE,
    connections: USAGE_CONNECTIONS,
    everyMs: USAGE_EVERY_MS,
    requests: ({ features, tokens }) =>
      Array.from({ length: DIFFERENT_REPORTS }, (_, number) => usageReport(features, number, tokens[0])),
  },
]

const download: Requests = ({ tokens }) => [
  requestBytes({ path: '/api/client/features', token: tokens[0] ?? '', headers: { 'Accept-Encoding': 'gzip' } }),
]

const ALONE: readonly { name: string; until: 'first byte' | 'end'; requests: Requests }[] = [
  { name: 'first byte of an unchanged view', until: 'first byte', requests: download },
  { name: 'event search', until: 'end', requests: search },
  { name: 'playground over all flags', until: 'end', requests: playground },
]

/** Measures a large server, database by database; returns undefined if no row is selected. */
export async function measureLarge(effort: LargeEffort): Promise<LargeRows | undefined> {
  const isWanted = ({ name }: { readonly name: string }) => effort.isWanted(PART + name)
  const [alone, disturbances] = [ALONE.filter(isWanted), DISTURBANCES.filter(isWanted)]
  if (alone.length + disturbances.length === 0) return undefined
  const rows = { size: effort.size, alone: [] as AloneFigures[], underLoad: [] as LoadedFigures[] }
  const loads = { sdk: startLoad([]), other: startLoad([]) }
  const floor = await startFloor([])
  try {
    await floor.answer({ status: 304, bytes: 0 })
    for (const database of effort.databases) {
      await withLargeServer(database, effort.size, async (server) => {
        for (const one of alone) rows.alone.push({ database, ...(await measureAlone(one, server, loads.other)) })
        for (const one of disturbances) {
          rows.underLoad.push({ database, ...(await measureUnder(one, { server, floor }, loads, effort)) })
        }
      })
    }
  } finally {
    for (const load of Object.values(loads)) load.stop()
    await floor.stop()
  }
  return rows
}

async function measureAlone(
  { name, until, requests }: (typeof ALONE)[number],
  server: LargeServer,
  load: Load,
): Promise<Omit<AloneFigures, 'database'>> {
  const slice = {
    port: server.contestant.port,
    requests: requests(server),
    first: 0,
    durationMs: 0,
    connections: 1,
    until,
  }
  // warm both processes up: code that has not run yet, and a body that is compressed for the first time
  await load.play({ ...slice, leastRequests: TIMES_ALONE, lanes: 1 })
  const { lanes, statuses } = await load.play({ ...slice, leastRequests: TIMES_ALONE, lanes: 1 })
  return { name, p50Ms: lanes[0]?.p50Ms ?? Number.NaN, statuses }
}

async function measureUnder(
  { name, connections, everyMs, requests }: Disturbance,
  { server, floor }: { readonly server: LargeServer; readonly floor: Floor },
  loads: Readonly<Record<'sdk' | 'other', Load>>,
  { rounds, sliceMs, usageMs }: LargeEffort,
): Promise<Omit<LoadedFigures, 'database'>> {
  const { port } = server.contestant
  const common = { first: 0, leastRequests: 0, lanes: 1 }
  const polls = await conditionalDownload(server)
  const durationMs = name === USAGE ? usageMs : sliceMs
  const paced = { requests: polls, connections: SDK_CONNECTIONS, everyMs: SDK_EVERY_MS }
  const sdk = (requested: number, ms: number) =>
    loads.sdk.play({ ...common, ...paced, port: requested, durationMs: ms })
  const pace = everyMs === undefined ? {} : { everyMs }
  const disturb = (ms: number) =>
    loads.other.play({ ...common, port, requests: requests(server), connections, ...pace, durationMs: ms })
  /** Measures one server while SDKs poll it, first without other load, then with it. */
  const once = async (asked: number, ms: number) => {
    const quiet = getP99(await sdk(asked, sliceMs))
    const other = disturb(ms)
    return { quiet, under: getP99(await sdk(asked, ms)), other: await other }
  }
  const seen = { ours: [] as Awaited<ReturnType<typeof once>>[], floor: [] as Awaited<ReturnType<typeof once>>[] }
  await Promise.all([sdk(port, WARM_UP_MS), disturb(WARM_UP_MS)])
  await sdk(floor.port, WARM_UP_MS)
  for (let round = 0; round < (name === USAGE ? 1 : rounds); round += 1) {
    seen.ours.push(await once(port, durationMs))
    seen.floor.push(await once(floor.port, durationMs))
  }
  const statuses: Record<string, number> = {}
  for (const { other } of seen.ours) {
    for (const [status, count] of Object.entries(other.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  }
  const p99s = (of: typeof seen.ours) => ({
    quietP99Ms: median(of.map(({ quiet }) => quiet)),
    p99Ms: median(of.map(({ under }) => under)),
  })
  const rate = median(seen.ours.map(({ other }) => (other.requests / other.elapsedMs) * 1000))
  return { name, ...p99s(seen.ours), floor: p99s(seen.floor), rate, statuses }
}

async function conditionalDownload({ contestant, tokens }: LargeServer): Promise<string[]> {
  const [path, token] = ['/api/client/features', tokens[0] ?? '']
  return [requestBytes({ path, token, headers: { 'If-None-Match': await readTag(contestant.port, path, token) } })]
}

/** Returns the p99. Throws on any status but 304, because the results would not be comparable. */
function getP99({ lanes, statuses }: LoadResult): number {
  if (Object.keys(statuses).join() !== '304') throw new Error(`SDKs were answered ${JSON.stringify(statuses)}`)
  return lanes[0]?.p99Ms ?? Number.NaN
}
