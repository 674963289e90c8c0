/**
 * Formats rows as CSV with a header line. The columns are the keys of the first row. Quotes strings, writes objects and
 * arrays as JSON, and writes undefined and null as an empty cell. Puts an apostrophe before text that a spreadsheet
 * would treat as a formula. Source: RFC 4180
 */
export function formatCsv(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  return formatCsvHeader(columns) + formatCsvRows(columns, rows)
}

/** Formats the header line of a CSV table. */
export function formatCsvHeader(columns: readonly string[]): string {
  return formatLine(columns.map(formatTextCell))
}

/** Formats rows of a CSV table without the header line (see `formatCsv`). */
export function formatCsvRows(columns: readonly string[], rows: readonly object[]): string {
  return rows.map((row) => formatLine(columns.map((column) => formatCell(Reflect.get(row, column))))).join('')
}

function formatLine(cells: readonly string[]): string {
  return `${cells.join(',')}\n`
}

/**
 * Pattern for text that a spreadsheet treats as a formula. Spreadsheets skip invisible characters before a formula and
 * accept full-width signs. A spreadsheet that splits a quoted cell also removes the quotes around each part. Source:
 * CWE-1236
 */
const FORMULA = /^[\s\p{C}"'`\p{Pi}\p{Pf}‚„]*[=+\-@＝＋－＠﹢﹣﹦﹫−]/u
/**
 * Characters at which spreadsheets in many locales start a new cell: semicolons and tabs. Such spreadsheets split even
 * quoted cells.
 */
const CELL_BREAK = /([;\t\r\n])/
const BLANK_START = /^[\t\r]/

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return formatTextCell(value)
  // JSON contains no line breaks, and an escaped semicolon in JSON has the same meaning
  return quote(JSON.stringify(value).replaceAll(';', '\\u003b'))
}

function formatTextCell(text: string): string {
  return quote(defuseFormulas(text))
}

/** Puts an apostrophe before each part of a text that a spreadsheet could treat as a formula. */
function defuseFormulas(text: string): string {
  const parts = text.split(CELL_BREAK).map((part) => (FORMULA.test(part) ? `'${part}` : part))
  return `${BLANK_START.test(text) ? "'" : ''}${parts.join('')}`
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
