/**
 * `npm run bench`: ours, the established proxy and a raw node:http server in one run, in turns; ratios printed and
 * written to docs/benchmarks.md. `--quick` plays a tenth of it and writes nothing; `--sizes 350` only some sizes.
 */
import { parseArgs } from 'node:util'
import { measureHttp } from './http/measure.ts'
import { describeRow, httpTable } from './http/table.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, sizes: { type: 'string' } } })
const sizes = values.sizes?.split(',').map(Number) ?? (values.quick ? [350] : [5, 350, 2000, 10_000])
const plan = { sizes, rounds: values.quick ? 2 : 5, sliceMs: values.quick ? 400 : 1000, connections: 16 }

const rows = await measureHttp(plan, (row) => console.log(describeRow(row)))
console.log(httpTable(rows))
