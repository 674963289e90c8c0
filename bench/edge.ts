/**
 * Benchmark of the edge: `node --conditions=source bench/edge.ts`. Compares it with a proxy, a raw `node:http` server
 * and the figures published by the vendor of Unleash Edge. `--quick` runs a fraction of it; only a full run writes
 * docs/benchmarks.md.
 */
import { parseArgs } from 'node:util'
import { EDGE_TOKENS } from './edge/edge-target.ts'
import { frontendTexts } from './edge/requests.ts'
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
const [unchanged, whole] = downloads
const table = targetTable([
  target(
    `CPU per request of \`/api/frontend\`, ${besideProxy.what.slice(19)}, of \`/proxy\``,
    ratio(besideProxy, 'proxy'),
    '≤',
    1.1,
    times,
  ),
  target(
    'CPU per request of a 304 of `/api/client/features`, 1000 flags, of the floor',
    ratio(unchanged, 'floor'),
    '≤',
    1.5,
    times,
  ),
  target(
    'CPU per request of a 200 of `/api/client/features`, 1000 flags, of the floor',
    ratio(whole, 'floor'),
    '≤',
    1.5,
    times,
  ),
  target('memory per further token of a known environment', many.bytesPerToken, '≤', 50_000, kb),
])
const line = (row: EdgeRow, name: string): string => {
  const { requestsPerSecond, p95Ms, cpuUs, bodyBytes } = getResult(row, name)
  return `| ${row.what} | ${name} | ${requestsPerSecond.toFixed(0)} | ${p95Ms.toFixed(2)} | ${cpuUs.toFixed(1)} | ${bodyBytes.toFixed(0)} |`
}
const lines = [besideProxy, ...downloads, ...vendors].flatMap((row) =>
  Object.keys(row.by).map((name) => line(row, name)),
)
const upstreamRequests = Object.entries(many.upstreamRequests).map(([path, count]) => `${count} of \`${path}\``)
const text = `${table}

One core for the server, another for the load, ${effort.rounds} slices of ${effort.sliceMs} ms each in turns; "floor" is a \`node:http\` server that answers as
many prepared bytes. The vendor of the established edge publishes, for one CPU of a cloud machine, 6,900 requests a second with
a p95 of 7.4 ms for 350 flags (about 100 kB), and 39,000 with 1.6 ms for 5 flags. It does not say which endpoint was asked and by
how many connections, and the machines differ: the rows of 350 and 5 flags are to be read beside the floor of the same run, not beside those figures.

| Requests | Server | requests/s | p95 ms | CPU µs per request | body bytes |
|---|---|---:|---:|---:|---:|
${lines.join('\n')}

${many.tokens} tokens over ${many.environments} environments of 200 flags: ready after ${many.readyMs.toFixed(0)} ms, ${(many.rssBytes / 1_000_000).toFixed(0)} MB of resident memory once all tokens were shown,
${upstreamRequests.join(', ')} until then, and ${many.upstreamRequestsPerMinute.toFixed(0)} requests to the upstream a minute afterwards, with polls every 15 s.`
console.log(`\n${text}`)
if (!isQuick) writePage(withSection(readPage(), 'Edge', text))
process.exit()
