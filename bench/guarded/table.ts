import type { ChartTimes } from './charts.ts'
import type { ReportFigures, SeriesMemory } from './reports.ts'
import type { SafeguardFigures } from './safeguards.ts'

/** Measurements of guarded releases. */
export interface GuardedFigures {
  /** Load average of the machine before the run. */
  readonly load: number
  readonly safeguards: SafeguardFigures
  readonly charts: ChartTimes
  readonly memory: SeriesMemory
  readonly reports: { readonly rate: number; readonly without: ReportFigures; readonly with: ReportFigures }
  readonly tripSeconds: number | undefined
}

const BYTES_PER_MB = 1e6

/** Formats the section of the page. */
export function guardedSection({ load, safeguards, charts, memory, reports, tripSeconds }: GuardedFigures): string {
  const megabytes = (bytes: number) => `${(bytes / BYTES_PER_MB).toFixed(0)} MB`
  const ratio = reports.with.pollP99Ms / reports.without.pollP99Ms
  const rows = [
    ["p99 of an SDK's 304 beside the reports, with metrics : without", `${ratio.toFixed(2)} ×`, '≤ 2 ×'],
    ...[...charts].map(([series, ms]) => [`chart of 30 days, ${series} series`, `${ms.toFixed(0)} ms`, '≤ 50 ms']),
    [`${safeguards.safeguards} safeguards, CPU time per minute`, `${safeguards.cpuMs.toFixed(0)} ms`, '≤ 1,000 ms'],
    ...(tripSeconds === undefined
      ? []
      : [['error until trip, default intervals', `${tripSeconds.toFixed(0)} s`, '≤ 75 s']]),
  ]
  const { beforeBytes, peakBytes, afterBytes, series } = memory
  return `\`node --conditions=source bench/guarded.ts\` measures this section. Reports have 20 flags and 20 impact metrics: 10 counters, 5
gauges and 5 histograms with 10 bounds. They arrive on 50 connections for a minute, while SDKs poll on 10 connections.
Server and load generator have one core each. The load average before the run was ${load.toFixed(1)}: other work shared both cores.

| Measured | Result | Target |
|---|---:|---:|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

| Reports | per second | p50 / p99 of a 304 | CPU per report |
|---|---:|---:|---:|
${formatReports('without metrics', reports.without)}
${formatReports('with metrics', reports.with)}

The load generator was set to ${reports.rate.toLocaleString('en-US')} reports a second.

A server with ${series.toLocaleString('en-US')} series of one environment took ${megabytes(peakBytes)} at most and ${megabytes(afterBytes)} after it had written them, compared to
${megabytes(beforeBytes)} before.`
}

function formatReports(title: string, { reportsPerSecond, pollP50Ms, pollP99Ms, cpuUs }: ReportFigures): string {
  const times = `${pollP50Ms.toFixed(1)} / ${pollP99Ms.toFixed(1)} ms`
  return `| ${title} | ${reportsPerSecond.toFixed(0)} | ${times} | ${cpuUs.toFixed(0)} µs |`
}
