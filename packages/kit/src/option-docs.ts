import { kebab, type OptionRow, type OptionTable } from './options.ts'

const HELP_WIDTH = 34

/** Help text of a table: one line per option with its flag, variables and default. */
export function helpText(table: OptionTable): string {
  return Object.entries(table)
    .filter(([, row]) => row.codeOnly !== true)
    .map(([name, row]) => helpLine(name, row))
    .join('\n')
}

function helpLine(name: string, row: OptionRow): string {
  const flag = row.parse.isSwitch === true ? `--[no-]${kebab(name)}` : `--${kebab(name)} <${row.unit ?? 'value'}>`
  const notes = [
    row.required === true ? 'required' : '',
    row.env === undefined || row.env.length === 0 ? '' : `env: ${row.env.join(', ')}`,
    defaultText(row) === '' ? '' : `default: ${defaultText(row)}`,
  ].filter((note) => note !== '')
  const suffix = notes.length === 0 ? '' : ` [${notes.join('; ')}]`
  const padded = flag.length < HELP_WIDTH ? flag.padEnd(HELP_WIDTH) : `${flag}\n${' '.repeat(HELP_WIDTH + 2)}`
  return `  ${padded}${row.doc}${suffix}`
}

/** The table as Markdown, for the documentation. */
export function markdownTable(table: OptionTable): string {
  const head = '| Option | Command line | Environment variable | Default | Description |\n|---|---|---|---|---|'
  const rows = Object.entries(table).map(([name, row]) =>
    [
      `\`${name}\`${row.required === true ? ' (required)' : ''}`,
      row.codeOnly === true ? 'in code only' : `\`--${kebab(name)}\``,
      (row.env ?? []).map((variable) => `\`${variable}\``).join(', '),
      defaultText(row) === '' ? '' : `\`${defaultText(row)}\``,
      `${row.doc} Expects ${row.parse.expects}${row.unit === undefined ? '' : ` (${row.unit})`}.`,
    ].join(' | '),
  )
  return [head, ...rows.map((row) => `| ${row} |`)].join('\n')
}

function defaultText(row: OptionRow): string {
  if (row.defaultDoc !== undefined) return row.defaultDoc
  if (row.default === undefined || row.default === '') return ''
  return Array.isArray(row.default) ? row.default.join(',') : String(row.default)
}
