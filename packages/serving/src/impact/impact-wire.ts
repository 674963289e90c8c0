import type { ImpactRow } from './impact-sums.ts'

/** Format in which reports contain a sample. */
interface WireSample {
  readonly labels: Readonly<Record<string, string>>
  readonly value?: number
  readonly count?: number
  readonly sum?: number
  /** Cumulative counts. */
  readonly buckets?: readonly { readonly le: number | '+Inf'; readonly count: number }[]
}

/** Format in which reports contain a metric. See the wire protocol, section "Impact metrics as SDKs send them". */
export interface WireMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly samples: readonly WireSample[]
}

/** Returns collected rows as the `impactMetrics` of a report. */
export function toWireMetrics(rows: readonly ImpactRow[]): WireMetric[] {
  const metrics = new Map<string, WireMetric & { readonly samples: WireSample[] }>()
  for (const row of rows) {
    const { name, help, type } = row
    const key = `${type} ${name}`
    const metric = metrics.get(key) ?? { name, help, type, samples: [] }
    metrics.set(key, metric)
    if (row.values.length > 0) metric.samples.push(toSample(row))
  }
  return [...metrics.values()]
}

/**
 * Returns the rows to forward to another server. Omits metrics that public sources have announced but for which there
 * are no values: the receiver could not distinguish them from announcements by servers.
 */
export function listForwarded(rows: readonly ImpactRow[]): ImpactRow[] {
  return rows.filter(({ values, isPublic }) => values.length > 0 || !isPublic)
}

/**
 * Splits rows into groups, so that a report with one group is at most `maxBytes` long as JSON. A row that exceeds this
 * size forms a group by itself.
 */
export function splitRows(rows: readonly ImpactRow[], maxBytes: number): ImpactRow[][] {
  const groups: ImpactRow[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = measureRow(row)
    if (bytes + size > maxBytes) {
      groups.push([])
      bytes = 0
    }
    bytes += size
    groups.at(-1)?.push(row)
  }
  return groups
}

/**
 * Splits a list of rows into two halves. Returns a list with a single row unchanged, as the only element of the result.
 */
export function halveRows(rows: readonly ImpactRow[]): ImpactRow[][] {
  const half = Math.ceil(rows.length / 2)
  return [rows.slice(0, half), rows.slice(half)].filter((part) => part.length > 0)
}

/** Returns the maximum number of bytes that a row can take within a report, as JSON. */
function measureRow(row: ImpactRow): number {
  return Buffer.byteLength(JSON.stringify(toWireMetrics([row])))
}

function toSample({ type, labels: pairs, bounds, values }: ImpactRow): WireSample {
  const labels = Object.fromEntries(pairs)
  const [first = 0, ...counts] = values
  if (type !== 'histogram') return { labels, value: first }
  let count = 0
  const buckets = counts.map((inBucket, index) => {
    count += inBucket
    return { le: bounds[index] ?? ('+Inf' as const), count }
  })
  return { labels, count, sum: first, buckets }
}
