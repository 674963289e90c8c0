import type { WritesRow } from './measure.ts'
import type { RoundTrips } from './round-trips.ts'

/** Formats the rows of a database in Markdown. */
export function writesTable(database: string, rows: readonly WritesRow[]): string {
  const lines = rows.map((row) => {
    const ratio = row.ownPerSecond / row.floorPerSecond
    const figures = [
      String(row.clients),
      row.ownPerSecond.toFixed(0),
      row.floorPerSecond.toFixed(0),
      `× ${ratio.toFixed(2)}`,
      row.ownMs.toFixed(1),
      row.floorMs.toFixed(1),
      row.statementsPerChange.toFixed(1),
    ]
    return `| ${figures.join(' | ')} |`
  })
  return [
    `### Changes on ${database}`,
    '',
    '| Clients | changes/s | floor/s | ratio | ms | floor: ms | statements per change |',
    '|---:|---:|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n')
}

/** Formats round trips as one sentence in Markdown. */
export function roundTripsText(rows: readonly RoundTrips[]): string {
  const parts = rows.map(({ clients, perChange }) => `${perChange.toFixed(1)} with ${clients}`)
  return `Round trips per change on the connection for changes, by number of concurrent changes: ${parts.join(', ')}.`
}

/** Description of the measurement. */
export const WRITES_TEXT = `\`bench/writes.ts\` writes this section. Each client toggles a separate flag through the admin API, without a network. The floor
is an update and an insert with the same durability: on SQLite one transaction after the other, on PostgreSQL one round trip on
a connection per client. Burgee and the floor alternate in one run, and figures are medians. Queued changes share a transaction.`
