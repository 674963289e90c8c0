import { expect, test } from 'vitest'
import { registerProcessSeries } from './process-series.ts'
import { SeriesRegistry } from './series.ts'

const BLOCK_MS = 300

test('reports the resource use of the process and the event loop delay since the last read', async () => {
  const registry = new SeriesRegistry()
  const series = registerProcessSeries(registry, { name: 'thing_build_info', version: '1.2.3' })
  const read = () => {
    const lines = registry.text().split('\n')
    const values = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' '))
    return new Map(values.map(([name = '', value]) => [name, Number(value)]))
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 100))
  try {
    await turn()
    const until = performance.now() + BLOCK_MS
    while (performance.now() < until);
    await turn()
    const seen = read()
    expect(seen.get(`thing_build_info{version="1.2.3",node="${process.version}"}`)).toBe(1)
    expect(seen.get('process_cpu_seconds_total')).toBeGreaterThanOrEqual(BLOCK_MS / 2000)
    expect(seen.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
    expect(seen.get('nodejs_heap_size_used_bytes')).toBeGreaterThan(1_000_000)
    expect(seen.get('nodejs_heap_size_total_bytes')).toBeGreaterThan(seen.get('nodejs_heap_size_used_bytes') ?? 0)
    expect(seen.get('nodejs_external_memory_bytes')).toBeGreaterThan(0)
    expect(seen.get('process_uptime_seconds')).toBeGreaterThan(0)
    expect(seen.get('process_start_time_seconds')).toBeGreaterThan(1_700_000_000)
    expect(seen.get('nodejs_eventloop_lag_max_seconds')).toBeGreaterThanOrEqual((BLOCK_MS - 50) / 1000)
    expect(read().get('nodejs_eventloop_lag_max_seconds')).toBe(0)
  } finally {
    series.close()
  }
})
