import { findNearestName, formatSuggestion } from './nearest.ts'

/** Flag on the command line. */
export interface Flag {
  /** Name of the option that the flag sets. */
  readonly name: string
  /** True for a switch, which needs no value. The prefix `--no-` turns the switch off. */
  readonly isSwitch: boolean
  /** True for a list: the flag may be given several times. For other flags, the last value wins. */
  readonly isRepeatable?: boolean
}

/**
 * Parses a command line: `--name value`, `--name=value`, `--switch`, `--no-switch`, `--switch=false`, and `-n value`
 * for flags that have a letter. If a flag is repeated, the last value wins, unless the flag is repeatable. A value must
 * follow `=` if it starts with `--` or looks like a known letter flag, or if the flag is a switch.
 *
 * @param flags by name, without leading hyphens; single letters are written with one hyphen
 * @param problems receives one line for each argument that is unknown or misplaced, or that lacks a value. The lines
 * never contain values, because the value after a misspelled flag may be a secret.
 * @returns unparsed values by option name
 */
export function parseArgv(
  argv: readonly string[],
  flags: ReadonlyMap<string, Flag>,
  problems: string[],
): Map<string, string> {
  const found = new Map<string, string>()
  let last: PrecedingFlag | undefined
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? ''
    if (!isFlag(argument, flags)) {
      problems.push(describeStrayArgument(argument, last))
      last &&= { written: last.written, flag: undefined }
      continue
    }
    const { written, inline } = splitArgument(argument)
    const flag = findFlag(written, flags)
    last = { written, flag: inline === undefined ? flag : undefined }
    const next = argv[index + 1]
    const takesNext = inline === undefined && flag?.isSwitch !== true && next !== undefined && !isFlag(next, flags)
    if (takesNext) index++
    const value = takesNext ? next : inline
    const problem = flag === undefined ? describeUnknownOption(written, flags) : findValueProblem(written, flag, value)
    if (problem !== undefined) problems.push(problem)
    else if (flag !== undefined)
      found.set(flag.name, appendValue(found.get(flag.name), flag, value ?? String(!flag.negated)))
  }
  return found
}

function appendValue(before: string | undefined, { isRepeatable }: Flag, value: string): string {
  return isRepeatable === true && before !== undefined ? `${before},${value}` : value
}

interface MatchedFlag extends Flag {
  readonly negated: boolean
}

function describeUnknownOption(written: string, flags: ReadonlyMap<string, Flag>): string {
  const long = [...flags].filter(([name]) => name.length > 1)
  const names = long.flatMap(([name, { isSwitch }]) => (isSwitch ? [name, `no-${name}`] : [name]))
  const nearest = findNearestName(written.slice('--'.length), names)
  return `Unknown option ${written}${formatSuggestion(nearest === undefined ? undefined : `--${nearest}`)}`
}

/** Flag that precedes the current argument. */
interface PrecedingFlag {
  readonly written: string
  /** Undefined if no value can follow the flag. */
  readonly flag: MatchedFlag | undefined
}

function describeStrayArgument(argument: string, last: PrecedingFlag | undefined): string {
  if (last === undefined) return `Unknown argument "${argument}"`
  const { written, flag } = last
  if (flag?.isSwitch !== true) return `Unknown argument after ${written}`
  if (flag.negated) return `${written} takes no value`
  const off = written.startsWith('--') ? `--no-${written.slice('--'.length)} or ` : ''
  return `${written} has no value after a blank: write ${written} or ${written}=true, ${off}${written}=false`
}

function findValueProblem(written: string, flag: MatchedFlag, value: string | undefined): string | undefined {
  if (flag.negated && value !== undefined) return `${written} takes no value`
  return value === undefined && !flag.isSwitch ? `${written} needs a value` : undefined
}

function findFlag(written: string, flags: ReadonlyMap<string, Flag>): MatchedFlag | undefined {
  const plain = flags.get(written.replace(/^--?/, ''))
  if (plain !== undefined) return { ...plain, negated: false }
  const negated = written.startsWith('--no-') ? flags.get(written.slice('--no-'.length)) : undefined
  return negated?.isSwitch === true ? { ...negated, negated: true } : undefined
}

const LETTER = /^-([A-Za-z])(=|$)/

function isFlag(argument: string, flags: ReadonlyMap<string, Flag>): boolean {
  return argument.startsWith('--') || flags.has(LETTER.exec(argument)?.[1] ?? '')
}

function splitArgument(argument: string): { readonly written: string; readonly inline: string | undefined } {
  const equals = argument.indexOf('=')
  if (equals < 0) return { written: argument, inline: undefined }
  return { written: argument.slice(0, equals), inline: argument.slice(equals + 1) }
}
