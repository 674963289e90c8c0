import type { ApplicationRow, BulkPart, CountRow } from './bulk-bucket.ts'

/** Maximum size of a report that every upstream accepts. Source: wire protocol, `POST /api/client/metrics/bulk` */
export const MOST_PIECE_BYTES = 95 * 1024
const FRAME_BYTES = Buffer.byteLength('{"applications":[],"metrics":[]}')
const COMMA_BYTES = 1
/** Maximum number of variants per row; each name has at most 500 characters of at most 6 bytes. */
const MOST_VARIANTS = 30

/**
 * Splits a report into pieces of at most `mostBytes` as JSON. A row with many variants is split into several rows with
 * the same totals.
 */
export function piecesOf({ applications, metrics }: BulkPart, mostBytes = MOST_PIECE_BYTES): BulkPart[] {
  const pieces: { applications: ApplicationRow[]; metrics: CountRow[] }[] = []
  let bytes = Number.POSITIVE_INFINITY
  const room = (row: object) => {
    const size = Buffer.byteLength(JSON.stringify(row)) + COMMA_BYTES
    if (bytes + size > mostBytes) {
      pieces.push({ applications: [], metrics: [] })
      bytes = FRAME_BYTES
    }
    bytes += size
    return pieces.at(-1)
  }
  for (const application of applications) room(application)?.applications.push(application)
  for (const row of metrics.flatMap(smallRows)) room(row)?.metrics.push(row)
  return pieces
}

/** Splits a piece in two; a piece of one row is returned alone. */
export function halved({ applications, metrics }: BulkPart): BulkPart[] {
  const half = Math.ceil((applications.length + metrics.length) / 2)
  const split = Math.max(0, half - applications.length)
  const parts = [
    { applications: applications.slice(0, half), metrics: metrics.slice(0, split) },
    { applications: applications.slice(half), metrics: metrics.slice(split) },
  ]
  return parts.filter((part) => part.applications.length + part.metrics.length > 0)
}

function smallRows(row: CountRow): CountRow[] {
  const variants = Object.entries(row.variants)
  if (variants.length <= MOST_VARIANTS) return [row]
  const rows: CountRow[] = []
  for (let at = 0; at < variants.length; at += MOST_VARIANTS) {
    const counted = at === 0 ? {} : { yes: 0, no: 0 }
    rows.push({ ...row, ...counted, variants: Object.fromEntries(variants.slice(at, at + MOST_VARIANTS)) })
  }
  return rows
}
