/**
 * Rows as a table whose columns are the keys of the first one, with a line of names above: texts in quotation marks,
 * objects and lists as JSON, nothing for undefined. A text that a spreadsheet would take for a formula begins with an
 * apostrophe. Source: RFC 4180
 */
export function csvOf(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns.map(quoted), ...rows.map((row) => columns.map((column) => cellOf(Reflect.get(row, column))))]
  return lines.map((cells) => `${cells.join(',')}\n`).join('')
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return quoted(JSON.stringify(value))
  return quoted(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
