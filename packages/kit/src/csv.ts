/**
 * Rows as a table whose columns are the keys of the first one, with a line of names above: texts in quotation marks,
 * objects and lists as JSON, nothing for undefined. A text that a spreadsheet would take for a formula begins with an
 * apostrophe. Source: RFC 4180
 */
export function csvOf(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns.map(textCell), ...rows.map((row) => columns.map((column) => cellOf(Reflect.get(row, column))))]
  return lines.map((cells) => `${cells.join(',')}\n`).join('')
}

/** A spreadsheet skips what is not visible before a formula, and reads full-width signs as plain ones. Source: CWE-1236 */
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
