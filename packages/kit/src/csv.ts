/**
 * Formats rows as CSV with a header line; the columns are the keys of the first row. Quotes strings and writes objects
 * and arrays as JSON. Writes undefined and null as an empty cell. Puts an apostrophe before text that a spreadsheet
 * would treat as a formula. Source: RFC 4180
 */
export function csvOf(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns.map(textCell), ...rows.map((row) => columns.map((column) => cellOf(Reflect.get(row, column))))]
  return lines.map((cells) => `${cells.join(',')}\n`).join('')
}

/** Spreadsheets skip invisible characters before a formula and accept full-width signs. Source: CWE-1236 */
const FORMULA = /^(?:[\t\r]|[\s\p{C}]*[=+\-@＝＋－＠﹢﹣﹦﹫−])/u

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return quoted(JSON.stringify(value))
  return textCell(value)
}

function textCell(text: string): string {
  return quoted(FORMULA.test(text) ? `'${text}` : text)
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
