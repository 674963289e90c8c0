/** What one flag of the command line sets. */
export interface Flag {
  /** Name of the option. */
  readonly name: string
  /** A switch needs no value, and `--no-` turns it off. */
  readonly isSwitch: boolean
}

/**
 * Reads a command line: `--name value`, `--name=value`, `--switch`, `--no-switch`, `--switch=false`. The last of
 * several wins; a value that begins with `--` must be written with `=`.
 *
 * @param flags    by name, without the hyphens before it
 * @param problems gets one line for each argument that is unknown, misplaced or lacks its value. A value is never
 *                 quoted there: behind a misspelt name it may be a secret.
 * @returns the texts by option name, unparsed
 */
export function readArgv(
  argv: readonly string[],
  flags: ReadonlyMap<string, Flag>,
  problems: string[],
): Map<string, string> {
  const found = new Map<string, string>()
  let last = ''
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? ''
    if (!isFlag(argument)) {
      problems.push(`Unknown argument ${last === '' ? `"${argument}"` : `after ${last}`}`)
      continue
    }
    const { written, inline } = split(argument)
    last = written
    const flag = find(written, flags)
    const next = argv[index + 1]
    const takesNext = inline === undefined && flag?.isSwitch !== true && next !== undefined && !isFlag(next)
    if (takesNext) index++
    const value = takesNext ? next : inline
    const problem = problemOf(written, flag, value)
    if (problem !== undefined) problems.push(problem)
    else if (flag !== undefined) found.set(flag.name, value ?? String(!flag.negated))
  }
  return found
}

interface FoundFlag extends Flag {
  readonly negated: boolean
}

function problemOf(written: string, flag: FoundFlag | undefined, value: string | undefined): string | undefined {
  if (flag === undefined) return `Unknown option ${written}`
  if (flag.negated && value !== undefined) return `${written} takes no value`
  return value === undefined && !flag.isSwitch ? `${written} needs a value` : undefined
}

function find(written: string, flags: ReadonlyMap<string, Flag>): FoundFlag | undefined {
  const plain = flags.get(written.slice('--'.length))
  if (plain !== undefined) return { ...plain, negated: false }
  const negated = written.startsWith('--no-') ? flags.get(written.slice('--no-'.length)) : undefined
  return negated?.isSwitch === true ? { ...negated, negated: true } : undefined
}

function isFlag(argument: string): boolean {
  return argument.startsWith('--')
}

function split(argument: string): { readonly written: string; readonly inline: string | undefined } {
  const equals = argument.indexOf('=')
  if (equals < 0) return { written: argument, inline: undefined }
  return { written: argument.slice(0, equals), inline: argument.slice(equals + 1) }
}
