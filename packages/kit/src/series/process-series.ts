import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Merge, SeriesRegistry } from './series.ts'

const MICROSECONDS = 1e6
const NANOSECONDS = 1e9
const LAG_RESOLUTION_MS = 20
const LAG_PERCENTILE = 99

/**
 * Adds the usual Prometheus metrics of a Node process: CPU, memory, start time, uptime, event loop lag since the
 * metrics were last read, and a build info gauge named `build.name`. The returned `close` stops the lag measurement.
 */
export function registerProcessSeries(
  registry: SeriesRegistry,
  build: { readonly name: string; readonly version: string },
): { close(): void } {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  const startSeconds = Math.round(Date.now() / 1000 - process.uptime())
  const gauges: readonly (readonly [string, string, () => number, Merge?])[] = [
    ['process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss(), 'sum'],
    ['process_start_time_seconds', 'Start time of the process, in seconds since 1970.', () => startSeconds],
    ['process_uptime_seconds', 'Time since the process was started.', () => process.uptime()],
    ['nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed, 'sum'],
    ['nodejs_heap_size_total_bytes', 'Heap that V8 has reserved.', () => process.memoryUsage().heapTotal, 'sum'],
    ['nodejs_external_memory_bytes', 'Memory outside of the heap.', () => process.memoryUsage().external, 'sum'],
    [
      'nodejs_eventloop_lag_p99_seconds',
      '99th percentile of the event-loop delay.',
      () => toLagSeconds(lag.percentile(LAG_PERCENTILE)),
    ],
    [
      'nodejs_eventloop_lag_max_seconds',
      'Maximum of the event-loop delay.',
      () => {
        const seconds = toLagSeconds(lag.max)
        lag.reset()
        return seconds
      },
    ],
  ]
  registry.observableCounter('process_cpu_seconds_total', 'CPU time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / MICROSECONDS
  })
  for (const [name, help, read, merge] of gauges) registry.gauge(name, help, read, merge)
  const labels = { version: build.version, node: process.version }
  registry.gauges(build.name, 'Always 1; the labels describe the program.', () => [[labels, 1]])
  return { close: () => lag.disable() }
}

/**
 * Converts a measured timer interval to event loop lag. The measurement includes the intended interval; only the excess
 * is lag.
 */
function toLagSeconds(intervalNanoseconds: number): number {
  return Math.max(intervalNanoseconds / NANOSECONDS - LAG_RESOLUTION_MS / 1000, 0)
}
