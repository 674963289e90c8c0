/**
 * Benchmark of event streams: `node --conditions=source bench/streams.ts`. `--streams 10000` sets the number of streams
 * in the measurement of one process. `--quick` measures less; only a full run writes docs/benchmarks.md. The clients
 * run on the same machine as the servers.
 */
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'
import { measureBehindProxy, measureBeside } from './streams/behind-proxy.ts'
import { measureFanOut, measureNodes } from './streams/rows.ts'
import { target, targetTable } from './target-table.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, streams: { type: 'string', default: '10000' } },
})
const { quick: isQuick } = values
const streams = isQuick ? 1000 : Number(values.streams)
const flips = isQuick ? 3 : 10
const inMs = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const inKb = (value: number) => `${(value / 1000).toFixed(1)} kB`

console.log(describeMachine().join('\n'))
const fanOut = await measureFanOut(streams, flips)
console.log(fanOut)
const beside = await measureBeside(1000, isQuick ? 1 : 5, isQuick ? 1000 : 3000)
console.log(beside)
const behind = await measureBehindProxy(isQuick ? 6 : 20)
console.log(behind)
const nodes = await measureNodes(isQuick ? 90 : 900, flips)
console.log(nodes)

const many = streams.toLocaleString('en')
const table = targetTable([
  target(`one change to ${many} streams of one process, median`, fanOut.p50Ms, '≤', 250, inMs),
  target(`one change to ${many} streams of one process, p99`, fanOut.p99Ms, '≤', 1000, inMs),
  target('memory of a stream without changes', fanOut.idleBytes, '≤', 30_000, inKb),
  target('a change at a server to the first response of a proxy with it, median', behind.answerMs, '≤', 100, inMs),
  target(
    'a change at a server to the new value at a client of a proxy with an OpenFeature stream, median',
    behind.pageMs,
    '≤',
    250,
    inMs,
  ),
  target(`a change at one of three servers to ${nodes.streams} streams across all, p99`, nodes.p99Ms, '≤', 1000, inMs),
  target(
    `p99 of \`/proxy\` with 1,000 open streams (${inMs(beside.aloneMs)} without)`,
    beside.withStreamsMs,
    '≤',
    beside.aloneMs * 1.25 + 0.5,
    inMs,
  ),
])
const text = `${table}

Times are from the request that toggles a flag until the bytes arrive at each client, over ${flips} changes. The clients run on the
same two cores. A change costs the server ${fanOut.cpuUs.toFixed(0)} µs of CPU time per stream. The server collects changes for 50 ms before it
sends them; every figure includes that delay.`
console.log(`\n${text}`)
if (!isQuick && streams === 10_000) writePage(withSection(readPage(), 'Event streams', text))
process.exit()
