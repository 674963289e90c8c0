import { formatHelp } from '@burgee/kit/options/option-docs'
import type { OptionTable } from '@burgee/kit/options/options'
import { formatTwoColumns } from '@burgee/kit/options/wrapped-text'
import { COMMAND_GROUPS, COMMANDS, type Command } from './commands.ts'
import { getOptionGroup, OPTION_GROUPS } from './option-groups.ts'

const NAME_WIDTH = 26
const MIN_WIDTH = 60
const SECRETS = 'A secret may also come from a file: <VARIABLE>_FILE holds its path.'
const VENDOR = 'UNLEASH_'

/** Formats the list of commands for a terminal of the given width. */
export function formatUsage(width: number): string {
  const columns = { leftWidth: NAME_WIDTH, width: Math.max(width, MIN_WIDTH) }
  const groups = COMMAND_GROUPS.map((group) => {
    const own = Object.entries(COMMANDS).filter(([, command]) => command.group === group)
    const lines = own.flatMap(([name, { summary }]) => formatTwoColumns(`  burgee ${name}`, [summary], columns))
    return [`${group}:`, ...lines].join('\n')
  })
  return [
    'Feature flags for every Unleash SDK.',
    ...groups,
    ['Help:', ...formatTwoColumns('  burgee COMMAND --help', ['Shows its options and examples.'], columns)].join('\n'),
    formatTwoColumns('Version: burgee --version', [''], columns)[0]?.trimEnd() ?? '',
  ].join('\n\n')
}

/** Selects the variables to show. Omits the Unleash name of a variable if its Burgee name is listed. */
function selectVariables(variables: readonly string[]): readonly string[] {
  const isTwin = (plain: string) => variables.includes(plain) || variables.includes(`FLAG_${plain}`)
  return variables.filter((name) => !name.startsWith(VENDOR) || !isTwin(name.slice(VENDOR.length)))
}

/** Formats the help of a command: usage, examples, options under headings, and exit codes. */
export function formatCommandHelp(name: string, command: Command, options: OptionTable, width: number): string {
  const { operand, summary, examples, codes } = command
  const hasOptions = Object.keys(options).length > 0
  const written = ['burgee', name, operand, hasOptions ? '[options]' : undefined].filter((word) => word !== undefined)
  const examplesText = examples.flatMap(([line, what]) => [`  ${line}`, `      ${what}`])
  const codeLines = Object.entries({ 0: 'success, or graceful shutdown', 1: 'wrong usage, or failure', ...codes })
  return [
    `${written.join(' ')}\n\n${summary}`,
    ['Examples:', ...examplesText].join('\n'),
    ...(hasOptions
      ? [formatHelp(options, { width, getGroup: getOptionGroup, groups: OPTION_GROUPS, selectVariables })]
      : []),
    ...(Object.values(options).some(({ secret }) => secret === true) ? [SECRETS] : []),
    ['Exit codes:', ...codeLines.map(([code, what]) => `  ${code}  ${what}`)].join('\n'),
  ].join('\n\n')
}
