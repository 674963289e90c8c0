import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createColumns, getWidth, packColumns, RESOLUTIONS } from '@burgee/storage/queries/impact/impact-points'
import { median } from '../statistics.ts'
import { startTimedServer } from './virtual-time.ts'

/** Median time to compute a chart of 30 days, in milliseconds, by the number of series in it. */
export type ChartTimes = ReadonlyMap<number, number>

const DAY_MS = 86_400_000
/** Number of days after which points are stored in the next coarser resolution. */
const UNTIL_DAYS = [2, 14, 30]
const RUNS = 21
const NOW = Date.parse('2027-03-01T12:00:30Z')

/** Measures charts of 30 days of counters, with several numbers of series and a value in every step. */
export async function measureCharts(sizes: readonly number[]): Promise<ChartTimes> {
  const timed = await startTimedServer(NOW)
  try {
    for (const size of sizes) {
      const samples = Array.from({ length: size }, (_, id) => ({ labels: { id: String(id) }, value: 1 }))
      const impactMetrics = [{ name: `chart_${size}`, help: '', type: 'counter', samples }]
      await timed.call('POST', '/api/client/metrics', { appName: 'shop', impactMetrics })
    }
    await timed.server.flush()
    fillHistory(join(timed.dataDir, 'burgee.sqlite'))
    const times = new Map<number, number>()
    for (const size of sizes) {
      const url = `/api/admin/impact-metrics/data?metricName=chart_${size}&timeRange=month`
      await timed.call('GET', url)
      const all: number[] = []
      for (let run = 0; run < RUNS; run += 1) {
        const since = performance.now()
        await timed.call('GET', url)
        all.push(performance.now() - since)
      }
      times.set(size, median(all))
    }
    return times
  } finally {
    await timed.close()
  }
}

/** Inserts points of 30 days for every series, in the resolution that belongs to their age. */
function fillHistory(path: string): void {
  const database = new DatabaseSync(path)
  const ids = database
    .prepare('select id from impact_series')
    .all()
    .map(({ id }) => String(id))
  const insert = database.prepare(
    'insert or ignore into impact_points (series_id, step, start, packed) values (?, ?, ?, ?)',
  )
  database.exec('begin')
  let from = NOW
  for (const [index, resolution] of RESOLUTIONS.entries()) {
    const { span, step } = resolution
    const until = NOW - (UNTIL_DAYS[index] ?? 0) * DAY_MS
    const columns = createColumns(getWidth('counter', 0), resolution)
    columns[0]?.fill(300)
    const packed = packColumns(columns)
    for (let start = from - (from % span) - span; start > until - span; start -= span) {
      for (const id of ids) insert.run(id, step, start, packed)
    }
    from = until
  }
  database.exec('commit')
  database.close()
}
