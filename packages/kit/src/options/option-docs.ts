import { kebab, type OptionRow, type OptionTable } from './options.ts'

const HELP_WIDTH = 34

/** Help text of a table: one line per option that a command line can give, with its flag, variables and default. */
export function helpText(table: OptionTable): string {
  return Object.entries(table)
    .filter(([, row]) => row.codeOnly !== true)
    .map(([name, row]) => helpLine(name, row))
    .join('\n')
}

function helpLine(name: string, row: OptionRow): string {
  const letter = row.letter === undefined ? '' : `-${row.letter}, `
  const long = row.parse.isSwitch === true ? `--[no-]${kebab(name)}` : `--${kebab(name)} <${row.unit ?? 'value'}>`
  const flag = `${letter}${long}`
  const notes = [
    row.required === true ? 'required' : '',
    variablesOf(row).length === 0 ? '' : `env: ${variablesOf(row).join(', ')}`,
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
      row.codeOnly === true ? 'in code only' : flagsOf(name, row),
      variablesOf(row)
        .map((variable) => `\`${variable}\``)
        .join(', '),
      defaultText(row) === '' ? '' : `\`${defaultText(row)}\``,
      `${row.doc} Expects ${row.parse.expects}${row.unit === undefined ? '' : ` (${row.unit})`}.`,
    ]
      .map(cell)
      .join(' | '),
  )
  return [head, ...rows.map((row) => `| ${row} |`)].join('\n')
}

function flagsOf(name: string, { letter }: OptionRow): string {
  return `\`--${kebab(name)}\`${letter === undefined ? '' : `, \`-${letter}\``}`
}

/** A secret may also be read from the file that `<NAME>_FILE` names. */
function variablesOf(row: OptionRow): readonly string[] {
  return (row.env ?? []).flatMap((variable) => (row.secret === true ? [variable, `${variable}_FILE`] : [variable]))
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function defaultText(row: OptionRow): string {
  if (row.defaultDoc !== undefined) return row.defaultDoc
  if (row.default === undefined || row.default === '') return ''
  if (typeof row.default === 'function' || row.secret === true) return 'set'
  if (typeof row.default === 'object' && !Array.isArray(row.default)) return JSON.stringify(row.default)
  return Array.isArray(row.default) ? row.default.join(',') : String(row.default)
}
