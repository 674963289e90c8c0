import { splitList } from '@burgee/kit/split-list'
import type { ApplicationRow, CountRow, UsagePart } from './bulk-bucket.ts'

/**
 * Maximum size of a report that every upstream accepts, in bytes. Source: wire protocol, `POST
 * /api/client/metrics/bulk`
 */
export const MAX_REPORT_BYTES = 95 * 1024
/** Size of a report that has no rows, in bytes. */
export const ENVELOPE_BYTES = Buffer.byteLength('{"applications":[],"metrics":[],"impactMetrics":[]}')
const COMMA_BYTES = 1
/** Maximum number of variants in a row. Each variant name has at most 500 characters of at most 6 bytes each. */
const MAX_VARIANTS_PER_ROW = 30

/**
 * Splits a report into pieces that have at most `mostBytes` as JSON. A row with many variants becomes several rows with
 * the same totals. Impact metrics go into separate pieces, so that an upstream that rejects them still gets the counts.
 */
export function splitIntoPieces({ applications, metrics }: UsagePart, maxBytes = MAX_REPORT_BYTES): UsagePart[] {
  const pieces: { applications: ApplicationRow[]; metrics: CountRow[] }[] = []
  let bytes = Number.POSITIVE_INFINITY
  const room = (row: object) => {
    const size = Buffer.byteLength(JSON.stringify(row)) + COMMA_BYTES
    if (bytes + size > maxBytes) {
      pieces.push({ applications: [], metrics: [] })
      bytes = ENVELOPE_BYTES
    }
    bytes += size
    return pieces.at(-1)
  }
  for (const application of applications) room(application)?.applications.push(application)
  for (const row of metrics.flatMap(splitRow)) room(row)?.metrics.push(row)
  return pieces
}

/** Splits a piece in two. A piece with a single row is returned unchanged, as the only element. */
export function halve({ applications, metrics }: UsagePart): UsagePart[] {
  const half = Math.ceil((applications.length + metrics.length) / 2)
  const split = Math.max(0, half - applications.length)
  const parts = [
    { applications: applications.slice(0, half), metrics: metrics.slice(0, split) },
    { applications: applications.slice(half), metrics: metrics.slice(split) },
  ]
  return parts.filter((part) => part.applications.length + part.metrics.length > 0)
}

function splitRow(row: CountRow): CountRow[] {
  const variants = Object.entries(row.variants)
  if (variants.length <= MAX_VARIANTS_PER_ROW) return [row]
  return splitList(variants, MAX_VARIANTS_PER_ROW).map((part, index) => {
    const counted = index === 0 ? {} : { yes: 0, no: 0 }
    return { ...row, ...counted, variants: Object.fromEntries(part) }
  })
}
