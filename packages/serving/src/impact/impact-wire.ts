import type { ImpactRow } from './impact-sums.ts'

/** Format of a sample in a report. */
interface WireSample {
  readonly labels: Readonly<Record<string, string>>
  readonly value?: number
  readonly count?: number
  readonly sum?: number
  /** Cumulative counts. */
  readonly buckets?: readonly { readonly le: number | '+Inf'; readonly count: number }[]
}

/** Format of a metric in a report. Source: wire protocol "Impact metrics as SDKs send them" */
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
 * Returns the rows to forward to another server. Omits metrics that public sources have only announced, without values:
 * the receiver could not distinguish them from announcements of servers.
 */
export function listForwarded(rows: readonly ImpactRow[]): ImpactRow[] {
  return rows.filter(({ values, isPublic }) => values.length > 0 || !isPublic)
}

/** Splits rows into groups whose reports have at most `maxBytes` as JSON. A row that is larger forms its own group. */
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

/** Splits rows in two. Returns a single row unchanged, as the only element. */
export function halveRows(rows: readonly ImpactRow[]): ImpactRow[][] {
  const half = Math.ceil(rows.length / 2)
  return [rows.slice(0, half), rows.slice(half)].filter((part) => part.length > 0)
}

/** Returns the maximum size of a row within a report, as JSON. */
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
