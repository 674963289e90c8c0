import { listFlags, type OptionRow, type OptionTable, toKebabCase } from './options.ts'
import { formatTwoColumns } from './wrapped-text.ts'

/** Layout of the help text. */
export interface HelpLayout {
  /** Number of columns of the terminal. */
  readonly width: number
  /**
   * Returns the heading under which an option is listed. The headings in `groups` come first, in this order, followed
   * by all other headings.
   */
  readonly getGroup: (name: string) => string
  readonly groups: readonly string[]
  /** Selects the environment variables to show for an option. */
  readonly selectVariables: (variables: readonly string[]) => readonly string[]
}

const LEFT_WIDTH = 34
const MIN_WIDTH = 60

/**
 * Formats the help text: command-line options under their headings, each with its environment variables and default.
 */
export function formatHelp(table: OptionTable, { width, getGroup, groups, selectVariables }: HelpLayout): string {
  const rows = Object.entries(table).filter(([, row]) => row.codeOnly !== true)
  const byGroup = Map.groupBy(rows, ([name]) => getGroup(name))
  const headings = [...new Set([...groups.filter((group) => byGroup.has(group)), ...byGroup.keys()])]
  const columns = { leftWidth: LEFT_WIDTH, width: Math.max(width, MIN_WIDTH) }
  return headings
    .map((heading) => {
      const lines = (byGroup.get(heading) ?? []).flatMap(([name, row]) =>
        formatHelpLines(name, { ...row, env: selectVariables(row.env ?? []) }, columns),
      )
      return [`${heading}:`, ...lines].join('\n')
    })
    .join('\n\n')
}

function formatHelpLines(name: string, row: OptionRow, columns: Parameters<typeof formatTwoColumns>[2]): string[] {
  const letter = row.letter === undefined ? '' : `-${row.letter}, `
  const long =
    row.parse.isSwitch === true ? `--[no-]${toKebabCase(name)}` : `--${toKebabCase(name)} <${row.unit ?? 'value'}>`
  const notes = [
    row.alias === undefined ? '' : `also --${row.alias}`,
    row.required === true ? 'required' : '',
    row.env?.length ? `env: ${row.env.join(', ')}` : '',
    formatDefault(row) === '' ? '' : `default: ${formatDefault(row)}`,
  ].filter((note) => note !== '')
  return formatTwoColumns(
    `  ${letter}${long}`,
    [row.doc, ...(notes.length === 0 ? [] : [`[${notes.join('; ')}]`])],
    columns,
  )
}

/** Formats the options as a Markdown table for the documentation. */
export function formatMarkdownTable(table: OptionTable): string {
  const head = '| Option | Command line | Environment variable | Default | Description |\n|---|---|---|---|---|'
  const rows = Object.entries(table).map(([name, row]) =>
    [
      `\`${name}\`${row.required === true ? ' (required)' : ''}`,
      row.codeOnly === true ? 'in code only' : formatFlags(name, row),
      listVariables(row)
        .map((variable) => `\`${variable}\``)
        .join(', '),
      formatDefault(row) === '' ? '' : `\`${formatDefault(row)}\``,
      `${row.doc} Expects ${row.parse.expects}${row.unit === undefined ? '' : ` (${row.unit})`}.`,
    ]
      .map(escapeCell)
      .join(' | '),
  )
  return [head, ...rows.map((row) => `| ${row} |`)].join('\n')
}

function formatFlags(name: string, row: OptionRow): string {
  return listFlags(name, row)
    .map((flag) => `\`${flag}\``)
    .join(', ')
}

/**
 * Returns the environment variables of an option. For a secret, this includes the `<NAME>_FILE` variables that name a
 * file.
 */
function listVariables(row: OptionRow): readonly string[] {
  return (row.env ?? []).flatMap((variable) => (row.secret === true ? [variable, `${variable}_FILE`] : [variable]))
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function formatDefault(row: OptionRow): string {
  if (row.defaultDoc !== undefined) return row.defaultDoc
  if (row.default === undefined || row.default === '') return ''
  if (Array.isArray(row.default) && row.default.length === 0) return ''
  if (typeof row.default === 'function' || row.secret === true) return 'set'
  if (typeof row.default === 'object' && !Array.isArray(row.default)) return JSON.stringify(row.default)
  return Array.isArray(row.default) ? row.default.join(',') : String(row.default)
}
