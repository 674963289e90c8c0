import { pinnedTo } from '../measured-process.ts'
import { type Contestant, callAdmin, startContestant, TOKENS } from '../server/contestant.ts'
import { type LoadResult, startLoad } from '../server/load.ts'
import { createPoll, createReports } from './report-requests.ts'

/** Measurements of a run in which reports are sent while SDKs poll. */
export interface ReportFigures {
  readonly reportsPerSecond: number
  readonly pollP50Ms: number
  readonly pollP99Ms: number
  /** CPU time of the server for each report, including the polls. */
  readonly cpuUs: number
}

/** Memory of a server before and after it received many series. */
export interface SeriesMemory {
  readonly series: number
  readonly beforeBytes: number
  readonly peakBytes: number
  readonly afterBytes: number
}

const INSTANCES = 200
const REPORT_CONNECTIONS = 50
const POLL_CONNECTIONS = 10
const POLL_EVERY_MS = 50
const WARM_UP_MS = 5000
const METRICS = 200
const SERIES = 200
/** Time until the server has written what it collected. */
const WRITE_MS = 25_000

/**
 * Sends reports at a fixed rate while an SDK polls, first to a server without impact metrics, then to another server
 * with them.
 */
export async function measureReports(rate: number, durationMs: number) {
  const without = await measureOn(rate, durationMs, false)
  const withMetrics = await measureOn(rate, durationMs, true)
  return { rate, without, with: withMetrics }
}

async function measureOn(rate: number, durationMs: number, hasMetrics: boolean): Promise<ReportFigures> {
  const server = await startContestant({ name: 'sqlite' })
  const reports = startLoad(pinnedTo(1))
  const polls = startLoad(pinnedTo(1))
  try {
    const etag = await prepare(server)
    const everyMs = (REPORT_CONNECTIONS * 1000) / rate
    const common = { port: server.port, first: 0, leastRequests: 1, lanes: 1 }
    const play = async (ms: number) => {
      const before = await server.account()
      const [sent, polled] = await Promise.all([
        reports.play({
          ...common,
          requests: createReports(INSTANCES, { hasMetrics }),
          durationMs: ms,
          connections: REPORT_CONNECTIONS,
          everyMs,
        }),
        polls.play({
          ...common,
          requests: [createPoll(etag)],
          durationMs: ms,
          connections: POLL_CONNECTIONS,
          everyMs: POLL_EVERY_MS,
        }),
      ])
      const { cpuUs } = await server.account()
      return { sent, polled, cpuUs: (cpuUs - before.cpuUs) / sent.requests }
    }
    await play(WARM_UP_MS)
    const { sent, polled, cpuUs } = await play(durationMs)
    requireStatus(sent, '202')
    requireStatus(polled, '304')
    const { p50Ms: pollP50Ms = 0, p99Ms: pollP99Ms = 0 } = polled.lanes[0] ?? {}
    return { reportsPerSecond: (sent.requests / sent.elapsedMs) * 1000, pollP50Ms, pollP99Ms, cpuUs }
  } finally {
    reports.stop()
    polls.stop()
    await server.stop()
  }
}

/** Creates flags and returns the ETag of their download. */
async function prepare({ port }: Contestant): Promise<string> {
  for (let flag = 0; flag < 20; flag += 1) {
    await callAdmin(port, 'POST', 'projects/default/features', { name: `flag-${flag}` })
  }
  const reply = await fetch(`http://127.0.0.1:${port}/api/client/features`, {
    headers: { authorization: TOKENS.client },
  })
  await reply.text()
  return reply.headers.get('etag') ?? ''
}

function requireStatus({ statuses }: LoadResult, status: string): void {
  const wrong = Object.keys(statuses).filter((one) => one !== status)
  if (wrong.length > 0) throw new Error(`Expected ${status}: ${JSON.stringify(statuses)}`)
}

/** Reports 200 metrics with 200 series each, and returns the memory of the server afterwards. */
export async function measureSeriesMemory(): Promise<SeriesMemory> {
  const server = await startContestant({ name: 'sqlite' })
  try {
    const { rssBytes: beforeBytes } = await server.account()
    for (let metric = 0; metric < METRICS; metric += 1) {
      const samples = Array.from({ length: SERIES }, (_, id) => ({
        labels: { appName: 'shop', region: 'eu', user: `series-${id}` },
        value: id + 1,
      }))
      const impactMetrics = [{ name: `metric_${metric}`, help: 'Benchmark', type: 'counter', samples }]
      const reply = await fetch(`http://127.0.0.1:${server.port}/api/client/metrics`, {
        method: 'POST',
        headers: { authorization: TOKENS.client, 'content-type': 'application/json' },
        body: JSON.stringify({ appName: 'shop', impactMetrics }),
      })
      if (reply.status !== 202) throw new Error(`Report: ${reply.status}`)
    }
    let peakBytes = (await server.account()).rssBytes
    let afterBytes = peakBytes
    const until = performance.now() + WRITE_MS
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      afterBytes = (await server.account()).rssBytes
      peakBytes = Math.max(peakBytes, afterBytes)
    }
    return { series: METRICS * SERIES, beforeBytes, peakBytes, afterBytes }
  } finally {
    await server.stop()
  }
}
