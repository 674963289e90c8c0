/**
 * Formats rows as CSV with a header line. The columns are the keys of the first row. Quotes strings, writes objects and
 * arrays as JSON, and writes undefined and null as an empty cell. Puts an apostrophe before text that a spreadsheet
 * would treat as a formula. Source: RFC 4180
 */
export function formatCsv(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [
    columns.map(formatTextCell),
    ...rows.map((row) => columns.map((column) => formatCell(Reflect.get(row, column)))),
  ]
  return lines.map((cells) => `${cells.join(',')}\n`).join('')
}

/**
 * Text that a spreadsheet treats as a formula. Spreadsheets skip invisible characters before a formula and accept
 * full-width signs. Source: CWE-1236
 */
const FORMULA = /^(?:[\t\r]|[\s\p{C}]*[=+\-@＝＋－＠﹢﹣﹦﹫−])/u

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return quote(JSON.stringify(value))
  return formatTextCell(value)
}

function formatTextCell(text: string): string {
  return quote(FORMULA.test(text) ? `'${text}` : text)
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
