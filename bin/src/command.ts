import { readFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { didYouMean, nearestName } from '@burgee/kit/options/nearest'
import { helpText } from '@burgee/kit/options/option-docs'
import type { OptionTable } from '@burgee/kit/options/options'
import type { Finished, Injected, Running } from './running.ts'
import { endInOrder, endSignals } from './shutdown.ts'

/** One subcommand: what it is for, and its code, loaded only where it is used: a proxy needs no database driver. */
interface Command {
  readonly summary: string
  /** What may stand before the options. */
  readonly operand?: string
  readonly options: () => Promise<OptionTable>
  /** Starts something that runs until a signal, or does something and answers with what is to be printed. */
  readonly run: (argv: readonly string[], more: Injected) => Promise<Begun>
}

type Begun = Running | Finished | string

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    summary: 'Server and proxy in one process, with a demo project.',
    options: async () => (await import('./start-command.ts')).START_OPTIONS,
    run: async (argv, more) => (await import('./start-command.ts')).runStart(argv, more),
  },
  server: {
    summary: 'The server: admin, client and frontend API.',
    options: async () => (await import('@burgee/server/options')).SERVER_OPTIONS,
    run: async (argv, more) => (await import('./server-command.ts')).runServer(argv, more),
  },
  proxy: {
    summary: 'The client proxy in front of an upstream.',
    options: async () => (await import('@burgee/proxy/options')).PROXY_OPTIONS,
    run: async (argv) => {
      keepMemorySmall()
      return (await import('./proxy-command.ts')).runProxy(argv)
    },
  },
  'reset-password': {
    summary: 'Prints a new password for an administrator, or the user named; the server may be running.',
    operand: '[name]',
    options: async () => (await import('./place-options.ts')).PLACE_OPTIONS,
    run: async (argv) => (await import('./reset-command.ts')).runReset(argv),
  },
  backup: {
    summary: 'Writes the embedded database into a new file; the server may be running.',
    operand: 'FILE',
    options: async () => (await import('./place-options.ts')).PLACE_OPTIONS,
    run: async (argv) => (await import('./backup-command.ts')).runBackup(argv),
  },
  restore: {
    summary: 'Puts a backup in the place of the embedded database, which is kept; no server may be running.',
    operand: 'FILE',
    options: async () => (await import('./place-options.ts')).PLACE_OPTIONS,
    run: async (argv) => (await import('./backup-command.ts')).runRestore(argv),
  },
  doctor: {
    summary: 'Looks for what is wrong with the database, the machine and the options; changes nothing.',
    options: async () => (await import('./doctor-command.ts')).DOCTOR_OPTIONS,
    run: async (argv) => (await import('./doctor-command.ts')).runDoctor(argv),
  },
}

/**
 * A request to the proxy leaves next to nothing behind, so room for young objects that grows with the load makes
 * nothing faster and holds 30 to 60 MB of memory (docs/adr/0016). Room that has grown stays: this comes before loading
 * the code. What compressors leave behind waits for a collection of old objects, which comes when these have grown by
 * half.
 */
function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}

const NAME_WIDTH = 14
const [STDIN, STDOUT] = [0, 1]
/** What a start that does not end is given when the process is asked to. */
const START_LIMIT_MS = 9500
const LEFTOVER_LIMIT_MS = 100

/**
 * Runs `burgee <command> [options]` and answers with the exit code. A started service runs until SIGINT or SIGTERM,
 * ends in order and answers 0; wrong usage, a bad option or a failed start answers 1 with a line on stderr. `more` is
 * for tests.
 */
export async function runCommand(argv: readonly string[], more: Injected = {}): Promise<number> {
  const [first, ...others] = argv
  if (isVersion(first)) return say(version(), 0)
  const asksHelp = first === undefined || isHelp(first)
  const [name, ...rest] = asksHelp ? others : argv
  if (name === undefined) return say(usage(), first === undefined ? 1 : 0)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return complain(unknownCommand(name))
  if (asksHelp || rest.some(isHelp)) return say(commandHelp(name, command, await command.options()), 0)
  if (rest.length === 1 && isVersion(rest[0])) return say(version(), 0)
  try {
    return await serve(command, rest, more)
  } catch (error) {
    return complain(messageOf(error))
  }
}

/** From the start to the end that a signal asks for, be it while the start still goes on. */
async function serve(command: Command, argv: readonly string[], more: Injected): Promise<number> {
  // whoever reads the output may go away: no reason to stop
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const signals = endSignals(isatty(STDIN) || isatty(STDOUT))
  const starting = command.run(argv, more)
  try {
    const begun = await Promise.race([starting, signals.asked])
    if (begun === undefined) return await endEarly(starting)
    if (!isRunning(begun)) return sayFinished(begun)
    await Promise.race([signals.asked, begun.dismissed ?? signals.asked])
    await endInOrder(begun, signals, () => process.exit(1))
    return 0
  } finally {
    // whatever is left behind by a start that failed or a stop that took too long must not keep the process
    setTimeout(() => process.exit(), LEFTOVER_LIMIT_MS).unref()
  }
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}

function isVersion(word: string | undefined): boolean {
  return word === '--version' || word === '-v'
}

function unknownCommand(name: string): string {
  const names = Object.keys(COMMANDS)
  const nearest = nearestName(name, names)
  if (nearest !== undefined) return `Unknown command "${name}"${didYouMean(`"${nearest}"`)}`
  return `Unknown command "${name}". Commands: ${names.join(', ')}.`
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  burgee ${name.padEnd(NAME_WIDTH)} ${summary}`)
  return [
    'Feature flags for every Unleash SDK.',
    '',
    'Usage:',
    ...lines,
    '',
    'Options: burgee <command> --help',
    'Version: burgee --version',
  ].join('\n')
}

function commandHelp(name: string, { summary, operand }: Command, options: OptionTable): string {
  const usage = operand === undefined ? name : `${name} ${operand}`
  return [`burgee ${usage}: ${summary}`, '', 'Options:', helpText(options)].join('\n')
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`)
  return code
}

function isRunning(begun: Begun): begun is Running {
  return typeof begun === 'object' && 'close' in begun
}

function sayFinished(finished: Finished | string): number {
  return typeof finished === 'string' ? say(finished, 0) : say(finished.text, finished.code)
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`)
  return 1
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Nobody has been told yet that it was ready: it is closed as soon as it has started. */
async function endEarly(starting: Promise<Begun>): Promise<number> {
  const limit = setTimeout(() => process.exit(1), START_LIMIT_MS)
  const begun = await starting
  clearTimeout(limit)
  if (!isRunning(begun)) return sayFinished(begun)
  const now = Promise.resolve()
  await endInOrder(begun, { asked: now, atOnce: now }, () => process.exit(1))
  return 0
}
