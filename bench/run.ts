/**
 * `npm run bench`: ours, the established proxy and a raw node:http server in one run, in turns; ratios are printed and
 * written to docs/benchmarks.md. `--quick` plays a part of it and writes nothing; `--sizes 5,350` only some sizes.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureHttp } from './http/measure.ts'
import { measureRefresh } from './http/refresh.ts'
import { describeRow, httpTable } from './http/table.ts'
import { httpTargets, processTargets } from './http/targets.ts'
import { measureWorkers } from './http/workers.ts'
import { describeMachine } from './machine.ts'
import { targetTable } from './target-table.ts'

const PAGE = new URL('../docs/benchmarks.md', import.meta.url)
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, sizes: { type: 'string' } } })
const sizes = values.sizes?.split(',').map(Number) ?? (values.quick ? [350] : [5, 350, 2000, 10_000])
const plan = { sizes, rounds: values.quick ? 2 : 5, sliceMs: values.quick ? 400 : 1000, connections: 16 }

const rows = await measureHttp(plan, (row) => console.log(describeRow(row)))
const refreshed = await measureRefresh(10_000)
const scaled = await measureWorkers(plan.rounds)
const targets = targetTable([...httpTargets(rows), ...processTargets(refreshed, scaled)])

const page = `# Benchmarks

Written by \`npm run bench\`. All servers of a row were measured in the same run, in turns, each on one core and the load
generator on another, with ${plan.connections} keep-alive connections; figures are medians of ${plan.rounds} slices of ${plan.sliceMs} ms. CPU time is what the
server's process says of itself. The floor is a \`node:http\` server that answers a prebuilt buffer of the same size; the
peer is the established proxy. Flags and contexts: \`bench/mix.ts\`, without segments, which would cost the peer most.

Measured on ${new Date().toISOString().slice(0, 10)}:

${describeMachine()
  .map((fact) => `- ${fact}`)
  .join('\n')}

## Targets

${targets}

## Over HTTP

"different": every request has a context of its own; "repeated": the same twenty contexts again and again. With
\`If-None-Match\`, repeated contexts carry the tag of their last answer. "× floor" is CPU time of the floor's, "peer ÷" says
how many times more CPU time the peer needs.

${httpTable(rows)}

## Refresh and workers

- ${refreshed.features} flags, one changed ${refreshed.changes} times: the event loop stood still for at most ${refreshed.changingMs.toFixed(1)} ms, without changes ${refreshed.quietMs.toFixed(1)} ms.
- 350 flags, one worker on a core: ${scaled.oneRate.toFixed(0)} requests/s; two workers on two cores, of which the generator took ${(scaled.generatorShare * 100).toFixed(0)} %: ${scaled.twoRate.toFixed(0)}.
`
console.log(`\n${targets}`)
if (!values.quick) writeFileSync(PAGE, page)
