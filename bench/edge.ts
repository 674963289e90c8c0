/**
 * Benchmark of the edge: `node --conditions=source bench/edge.ts`. Compares it with a proxy, a raw `node:http` server
 * and the figures published by the vendor of Unleash Edge. `--quick` runs only part of the benchmark; only a full run
 * writes docs/benchmarks.md.
 */
import { parseArgs } from 'node:util'
import { EDGE_TOKENS } from './edge/edge-target.ts'
import { frontendTexts, metricsTexts } from './edge/requests.ts'
import {
  type EdgeFigures,
  type EdgeRow,
  measureBesideFloor,
  measureBesideProxy,
  measureManyTokens,
} from './edge/rows.ts'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'
import { target, targetTable } from './target-table.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const { quick: isQuick } = values
const effort = { rounds: isQuick ? 3 : 9, sliceMs: isQuick ? 500 : 1000 }
const times = (value: number) => `${value.toFixed(2)} ×`
const kb = (value: number) => `${(value / 1000).toFixed(1)} kB`

console.log(describeMachine().join('\n'))
const web = { key: EDGE_TOKENS.web }
const besideProxy = await measureBesideProxy(350, effort)
console.log(besideProxy)
const downloads = await measureBesideFloor(
  1000,
  [
    { what: 'GET /api/client/features, 304', requests: 'unchanged' },
    { what: 'GET /api/client/features, 200', requests: 'whole' },
    { what: 'POST /api/client/metrics with 20 flags', requests: metricsTexts(20, { key: EDGE_TOKENS.start }) },
  ],
  effort,
)
console.log(downloads)
const vendors: EdgeRow[] = []
for (const features of [350, 5]) {
  const kinds = [
    { what: 'GET /api/frontend/all', requests: frontendTexts('/api/frontend/all', web) },
    { what: 'GET /api/client/features', requests: 'whole' as const },
  ]
  vendors.push(...(await measureBesideFloor(features, kinds, effort)))
}
console.log(vendors)
const many = await measureManyTokens(500, 20, 200, isQuick ? 15_000 : undefined)
console.log(many)

const getResult = (row: EdgeRow | undefined, name: string): EdgeFigures => {
  const played = row?.by[name]
  if (played === undefined) throw new Error(`Nothing was measured of ${name}`)
  return played
}
const ratio = (row: EdgeRow | undefined, to: string): number => getResult(row, 'edge').cpuUs / getResult(row, to).cpuUs
/** Returns the target for usage reports if the binary of Unleash Edge was measured as well. */
function compareWithUnleashEdge(row: EdgeRow | undefined) {
  if (row?.by['Unleash Edge'] === undefined) return []
  const what = 'CPU per report of the counts of 20 flags, relative to Unleash Edge'
  return [target(what, ratio(row, 'Unleash Edge'), '≤', 1, times)]
}
const [unchanged, whole, report] = downloads
const table = targetTable([
  target(
    `CPU per request of \`/api/frontend\`, ${besideProxy.what.slice(19)}, relative to \`/proxy\``,
    ratio(besideProxy, 'proxy'),
    '≤',
    1.1,
    times,
  ),
  target(
    'CPU per request of a 304 of `/api/client/features`, 1000 flags, relative to the floor',
    ratio(unchanged, 'floor'),
    '≤',
    1.5,
    times,
  ),
  target(
    'CPU per request of a 200 of `/api/client/features`, 1000 flags, relative to the floor',
    ratio(whole, 'floor'),
    '≤',
    1.5,
    times,
  ),
  ...compareWithUnleashEdge(report),
  target('memory per additional token of a known environment', many.bytesPerToken, '≤', 50_000, kb),
])
const line = (row: EdgeRow, name: string): string => {
  const { requestsPerSecond, p95Ms, cpuUs, bodyBytes } = getResult(row, name)
  return `| ${row.what} | ${name} | ${requestsPerSecond.toFixed(0)} | ${p95Ms.toFixed(2)} | ${cpuUs.toFixed(1)} | ${bodyBytes.toFixed(0)} |`
}
const lines = [besideProxy, ...downloads, ...vendors].flatMap((row) =>
  Object.keys(row.by).map((name) => line(row, name)),
)
const upstreamRequests = Object.entries(many.upstreamRequests).map(([path, count]) => `${count} × \`${path}\``)
const text = `${table}

The server runs on one core and the load generator on another, for ${effort.rounds} alternating slices of ${effort.sliceMs} ms each. The floor is a \`node:http\`
server that responds with the same number of prepared bytes.

The vendor of Unleash Edge publishes figures for one CPU of a cloud machine: 6,900 requests a second with a p95 of 7.4 ms for
350 flags (about 100 kB), and 39,000 with 1.6 ms for 5 flags. The endpoint and the number of connections are not published, and
the machines differ. So compare the rows with 350 and 5 flags with the floor of the same run, not with those figures.

| Requests | Server | requests/s | p95 ms | CPU µs per request | body bytes |
|---|---|---:|---:|---:|---:|
${lines.join('\n')}

${many.tokens} tokens in ${many.environments} environments with 200 flags each: the edge is ready after ${many.readyMs.toFixed(0)} ms, and uses ${(many.rssBytes / 1_000_000).toFixed(0)} MB of resident memory once
clients have used all tokens. Until then, it sends these requests to the upstream: ${upstreamRequests.join(', ')}.
After that, it sends ${many.upstreamRequestsPerMinute.toFixed(0)} requests a minute, with polls every 15 s.`
console.log(`\n${text}`)
if (!isQuick) writePage(withSection(readPage(), 'Edge', text))
process.exit()
