import { startFloor } from '../floor.ts'
import { startTarget } from '../http/target.ts'
import { serveDocument } from '../http/upstream.ts'
import { type MeasuredProcess, pinnedTo } from '../measured-process.ts'
import { mixDocument } from '../mix.ts'
import { type Load, startLoad } from '../server/load.ts'
import { median } from '../statistics.ts'
import { EDGE_TOKENS, startEdge } from './edge-target.ts'
import { startForeignEdge } from './foreign-edge.ts'
import { frontendTexts, getText } from './requests.ts'
import { serveEdge } from './upstream.ts'

/** Duration of each measurement, and number of measurements. */
export interface EdgeEffort {
  readonly rounds: number
  readonly sliceMs: number
}

/** Result of one kind of request on one server; medians over the rounds. */
export interface EdgeFigures {
  readonly requestsPerSecond: number
  /** CPU time of the server process per request, in microseconds. */
  readonly cpuUs: number
  readonly p95Ms: number
  /** Average size of a response body. */
  readonly bodyBytes: number
  readonly statuses: string
}

/** Results of one kind of request on several servers. */
export interface EdgeRow {
  readonly what: string
  readonly by: Readonly<Record<string, EdgeFigures>>
}

/** Server that is compared with other servers; they are measured alternately. */
interface Contestant {
  readonly name: string
  readonly port: number
  readonly process: Pick<MeasuredProcess, 'account'>
  readonly requests: readonly string[]
}

const CONNECTIONS = 16
const WARM_UP_MS = 3000
const PROXY_KEY = 'bench-key'

/** Sends the same kind of requests to all servers, alternating between them. */
async function play(
  load: Load,
  contestants: readonly Contestant[],
  effort: EdgeEffort,
): Promise<Record<string, EdgeFigures>> {
  const slices = new Map<string, EdgeFigures[]>(contestants.map(({ name }) => [name, []]))
  const comeTo = new Map<string, number>()
  const once = async ({ name, port, process, requests }: Contestant, durationMs: number): Promise<EdgeFigures> => {
    const first = comeTo.get(name) ?? 0
    const before = await process.account()
    const slice = { port, requests, first, durationMs, leastRequests: 1, connections: CONNECTIONS, lanes: 1 }
    const result = await load.play(slice)
    const after = await process.account()
    comeTo.set(name, first + result.requests)
    return {
      requestsPerSecond: (result.requests / result.elapsedMs) * 1000,
      cpuUs: (after.cpuUs - before.cpuUs) / result.requests,
      p95Ms: result.lanes[0]?.p95Ms ?? Number.NaN,
      bodyBytes: result.bodyBytes / result.requests,
      statuses: Object.keys(result.statuses).join(' '),
    }
  }
  for (const contestant of contestants) await once(contestant, WARM_UP_MS)
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const contestant of contestants) slices.get(contestant.name)?.push(await once(contestant, effort.sliceMs))
  }
  return Object.fromEntries([...slices].map(([name, all]) => [name, summarize(all)]))
}

function summarize(slices: readonly EdgeFigures[]): EdgeFigures {
  const middle = (of: (slice: EdgeFigures) => number) => median(slices.map(of))
  return {
    requestsPerSecond: middle((slice) => slice.requestsPerSecond),
    cpuUs: middle((slice) => slice.cpuUs),
    p95Ms: middle((slice) => slice.p95Ms),
    bodyBytes: middle((slice) => slice.bodyBytes),
    statuses: [...new Set(slices.map((slice) => slice.statuses))].join(' '),
  }
}

/**
 * Compares `/api/frontend` of an edge with `/proxy` of a proxy, over the same flags, with contexts that do not repeat.
 */
export async function measureBesideProxy(features: number, effort: EdgeEffort): Promise<EdgeRow> {
  const document = mixDocument({ features, segmentValues: 0 })
  const [edgeUpstream, proxyUpstream] = [await serveEdge(document), await serveDocument(document)]
  const [edge, proxy] = [await startEdge(edgeUpstream.url), await startTarget('burgee', proxyUpstream.url)]
  const load = startLoad(pinnedTo(1))
  try {
    const by = await play(
      load,
      [
        {
          name: 'edge',
          port: edge.port,
          process: edge,
          requests: frontendTexts('/api/frontend', { key: EDGE_TOKENS.web }),
        },
        { name: 'proxy', port: proxy.port, process: proxy, requests: frontendTexts('/proxy', { key: PROXY_KEY }) },
      ],
      effort,
    )
    return { what: `GET /api/frontend, ${features} flags, different contexts`, by }
  } finally {
    load.stop()
    await Promise.all([edge.stop(), proxy.stop(), edgeUpstream.close(), proxyUpstream.close()])
  }
}

/**
 * Compares one kind of request on an edge with a minimal server that returns the same number of bytes, and with Unleash
 * Edge if `EDGE_BIN` names its binary.
 */
export async function measureBesideFloor(
  features: number,
  kinds: readonly { readonly what: string; readonly requests: readonly string[] | 'unchanged' | 'whole' }[],
  effort: EdgeEffort,
): Promise<EdgeRow[]> {
  const upstream = await serveEdge(mixDocument({ features, segmentValues: 0 }))
  const [edge, floor] = [await startEdge(upstream.url), await startFloor()]
  const foreign = await startForeignEdge(upstream.url, pinnedTo(0))
  const load = startLoad(pinnedTo(1))
  const rows: EdgeRow[] = []
  try {
    const path = '/api/client/features'
    const key = EDGE_TOKENS.start
    const headers = { authorization: key, 'unleash-client-spec': '5.2.0' }
    const readEtag = async (port: number) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).headers.get('etag') ?? ''
    for (const { what, requests: requested } of kinds) {
      const listRequests = async (port: number): Promise<readonly string[]> => {
        if (Array.isArray(requested)) return requested
        return [getText(path, requested === 'whole' ? { key } : { key, etag: await readEtag(port) })]
      }
      const own: Contestant = {
        name: 'edge',
        port: edge.port,
        process: edge,
        requests: await listRequests(edge.port),
      }
      const { edge: sample } = await play(load, [own], { rounds: 1, sliceMs: effort.sliceMs })
      const bytes = Math.round(sample?.bodyBytes ?? 0)
      await floor.answer({ bytes, status: requested === 'unchanged' ? 304 : 200 })
      const others: Contestant[] = [{ ...own, name: 'floor', port: floor.port, process: floor }]
      if (foreign !== undefined) {
        const requests = await listRequests(foreign.port)
        others.push({ name: 'Unleash Edge', port: foreign.port, process: foreign, requests })
      }
      const by = await play(load, [own, ...others], effort)
      rows.push({ what: `${what}, ${features} flags`, by })
    }
    return rows
  } finally {
    load.stop()
    await Promise.all([edge.stop(), floor.stop(), foreign?.stop(), upstream.close()])
  }
}

/** Cost of many tokens for an edge. */
export interface ManyTokens {
  readonly tokens: number
  readonly environments: number
  readonly readyMs: number
  readonly rssBytes: number
  /** Resident memory for each token of an environment that the edge already knew, in bytes. */
  readonly bytesPerToken: number
  /** Number of requests to the upstream, by path, from the start until each token had been used once. */
  readonly upstreamRequests: Readonly<Record<string, number>>
  /** Number of requests to the upstream per minute afterwards, with polls every 15 s. */
  readonly upstreamRequestsPerMinute: number
}

const INTERVAL_SECONDS = 15
const MINUTE_MS = 60_000

/** Starts an edge for many environments, sends it many tokens, and measures its upstream requests and memory. */
export async function measureManyTokens(
  tokens: number,
  environments: number,
  features: number,
  minuteMs = MINUTE_MS,
): Promise<ManyTokens> {
  const upstream = await serveEdge(mixDocument({ features, segmentValues: 0 }))
  const names = Array.from({ length: environments }, (_, number) => `environment-${number}`)
  const start = names.map((name) => `*:${name}.start`)
  const shown = Array.from({ length: tokens }, (_, number) => `*:${names[number % environments]}.web-${number}`)
  const edge = await startEdge(upstream.url, {
    env: { TOKENS: start.join(), FEATURES_REFRESH_INTERVAL_SECONDS: String(INTERVAL_SECONDS) },
  })
  const ask = async (authorization: string): Promise<void> => {
    const reply = await fetch(`http://127.0.0.1:${edge.port}/api/frontend?userId=7`, { headers: { authorization } })
    if (reply.status !== 200) throw new Error(`${reply.status} for ${authorization}`)
    await reply.arrayBuffer()
  }
  try {
    // the first token of each environment creates the state that its other tokens share
    for (const token of shown.slice(0, environments)) await ask(token)
    const before = await edge.account()
    for (const token of shown.slice(environments)) await ask(token)
    const after = await edge.account()
    const asked = upstream.countRequests()
    await new Promise((resolve) => setTimeout(resolve, minuteMs))
    const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, one) => all + one, 0)
    return {
      tokens,
      environments,
      readyMs: edge.readyMs,
      rssBytes: after.rssBytes,
      upstreamRequests: asked,
      bytesPerToken: Math.max(0, after.rssBytes - before.rssBytes) / (tokens - environments),
      upstreamRequestsPerMinute: ((sum(upstream.countRequests()) - sum(asked)) / minuteMs) * MINUTE_MS,
    }
  } finally {
    await Promise.all([edge.stop(), upstream.close()])
  }
}
