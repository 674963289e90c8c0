/**
 * `npm run bench`: measures our proxy, the Unleash proxy and a raw node:http server alternately in one run, then our
 * server and Unleash. Prints ratios and writes them to docs/benchmarks.md. `--quick` runs only a part of the benchmark
 * and writes nothing; `--sizes 5,350` selects the numbers of flags.
 */
import { parseArgs } from 'node:util'
import { type BodyRow, bodyTable, measureBodies } from './engine/bodies.ts'
import { engineTargets } from './engine/targets.ts'
import { benchEngine, engineTable } from './engine.ts'
import { measureHttp, WARM_UP_MS } from './http/measure.ts'
import { measureRefresh } from './http/refresh.ts'
import { describeRow, httpTable } from './http/table.ts'
import { httpTargets, processTargets } from './http/targets.ts'
import { measureWorkers } from './http/workers.ts'
import { describeMachine } from './machine.ts'
import { readPage, withMissingSections, withSection, writePage } from './page.ts'
import { measureServer, SERVER_HEADING, serverSection } from './server/section.ts'
import { targetTable } from './target-table.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, sizes: { type: 'string' } } })
const sizes = values.sizes?.split(',').map(Number) ?? (values.quick ? [350] : [5, 350, 2000, 10_000])
const effort = { sizes, rounds: values.quick ? 2 : 3, sliceMs: values.quick ? 400 : 700, connections: 16 }

const enginePlan = values.quick ? { rounds: 5, sliceMs: 20 } : { rounds: 15, sliceMs: 50 }
const engineSizes = values.quick ? [1000] : [10, 100, 1000, 10_000]

const bodies: BodyRow[] = []
for (const features of engineSizes) {
  for (const segmentValues of [0, 1000]) bodies.push(await measureBodies(features, segmentValues, enginePlan))
}
console.log(bodyTable(bodies))
const engine = await benchEngine(engineSizes, enginePlan)
console.log(engineTable(engine))
const rows = await measureHttp(effort, (row) => console.log(describeRow(row)))
const refreshed = await measureRefresh(10_000)
const scaled = await measureWorkers(effort.rounds)
const targets = targetTable([
  ...httpTargets(rows),
  ...engineTargets(bodies, engine),
  ...processTargets(refreshed, scaled),
])

const page = `# Benchmarks

\`npm run bench\` writes this page. It measures all servers of a row in the same run, alternating between them. The server
runs on one core and the load generator on another, with ${effort.connections} keep-alive connections. Figures are medians of ${effort.rounds} slices of
${effort.sliceMs} ms, after ${WARM_UP_MS / 1000} s of warm-up with all kinds of requests. Each server process reports its own CPU time.

- The **floor** is a \`node:http\` server that responds with a prebuilt buffer of the same size.
- The **peer** is the Unleash Proxy.
- \`bench/mix.ts\` defines flags and contexts. It uses no segments, because segments slow down the peer most.

Measured on ${new Date().toISOString().slice(0, 10)}:

${describeMachine()
  .map((fact) => `- ${fact}`)
  .join('\n')}

## Targets

${targets}

## Over HTTP

In rows with "different", each request has a new context; with "repeated", the requests cycle through twenty contexts. With
\`If-None-Match\`, a request sends the ETag of the previous response to the same context. "× floor" is the CPU time of the row
divided by the CPU time of the floor. "peer ÷" is the CPU time of the peer divided by the CPU time of Burgee.

${httpTable(rows)}

## In one process

Time to create the response body with all enabled flags from a context, without caches. For the SDK: \`isEnabled\` for every
flag, \`getVariant\` for the enabled flags, and \`JSON.stringify\`.

${bodyTable(bodies)}

The engine alone ("all": results of all flags; for the SDK, \`isEnabled\` and \`getVariant\`), segments, and loading:

${engineTable(engine)}

## Refresh and workers

- ${refreshed.features} flags, one changed ${refreshed.changes} times, on both cores: the event loop was blocked for at most ${refreshed.changingMs.toFixed(1)} ms; without changes, at most ${refreshed.quietMs.toFixed(1)} ms.
- 350 flags, gzip, one worker on a core: ${scaled.oneRate.toFixed(0)} requests/s; two workers on two cores, of which the load generator used ${(scaled.generatorShare * 100).toFixed(0)} %: ${scaled.twoRate.toFixed(0)}.
`
console.log(`\n${targets}`)
if (!values.quick) writePage(withMissingSections(page, readPage()))
const server = serverSection(await measureServer({ isQuick: values.quick }))
console.log(`\n${server}`)
if (!values.quick) writePage(withSection(readPage(), SERVER_HEADING, server))
