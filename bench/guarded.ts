/**
 * Benchmark of guarded releases: `node --conditions=source bench/guarded.ts`. Measures reports with impact metrics
 * while SDKs poll, memory, charts, safeguards and the time until a safeguard trips, and writes a section of the page.
 * `--quick` measures for ten seconds, skips the trip of a safeguard, and writes nothing.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measureCharts } from './guarded/charts.ts'
import { measureReports, measureSeriesMemory } from './guarded/reports.ts'
import { measureSafeguards } from './guarded/safeguards.ts'
import { guardedSection } from './guarded/table.ts'
import { measureTrip } from './guarded/trip.ts'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'

const REPORTS_PER_SECOND = 5000
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })

console.log(describeMachine().join('\n'))
const [load = 0] = loadavg()
const safeguards = await measureSafeguards(1000)
console.log(safeguards)
const charts = await measureCharts([1, 10, 200])
console.log(charts)
const memory = await measureSeriesMemory()
console.log(memory)
const reports = await measureReports(REPORTS_PER_SECOND, values.quick ? 10_000 : 60_000)
console.log(reports)
const tripSeconds = values.quick ? undefined : await measureTrip()
const text = guardedSection({ load, safeguards, charts, memory, reports, tripSeconds })
console.log(`\n${text}`)
if (!values.quick) writePage(withSection(readPage(), 'Guarded releases', text))
process.exit()
