import { readFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import { didYouMean, nearestName } from '@burgee/kit/options/nearest'
import { type Begun, COMMANDS, type Command } from './commands.ts'
import { commandHelp, usage } from './help.ts'
import { asksJson } from './json-option.ts'
import { print } from './output.ts'
import type { Finished, Injected, Running } from './running.ts'
import { endInOrder, endSignals } from './shutdown.ts'

const [STDIN, STDOUT] = [0, 1]
/** Time limit for a start that is still running when a signal arrives. */
const START_LIMIT_MS = 9500
const LEFTOVER_LIMIT_MS = 100
const PAGE_COLUMNS = 100

/**
 * Runs `burgee <command> [options]` and returns the exit code. A service runs until SIGINT or SIGTERM, shuts down
 * gracefully and returns 0. Wrong usage, an invalid option or a failed start returns 1, with a line on stderr. `more`
 * is for tests.
 */
export async function runCommand(argv: readonly string[], more: Injected = {}): Promise<number> {
  const [first, ...others] = argv
  if (isVersion(first)) return say(version(), 0)
  const asksHelp = first === undefined || isHelp(first)
  const [name, ...rest] = asksHelp ? others : argv
  if (name === undefined) return say(usage(columns()), first === undefined ? 1 : 0)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return complain(unknownCommand(name))
  if (asksHelp || rest.some(isHelp)) return say(commandHelp(name, command, await command.options(), columns()), 0)
  if (rest.length === 1 && isVersion(rest[0])) return say(version(), 0)
  try {
    return await serve(command, rest, more)
  } catch (error) {
    const text = messageOf(error)
    return complain(asksJson(rest) ? JSON.stringify({ error: text }) : text)
  }
}

/** Runs a command until it is done or a signal ends it, even while it still starts. */
async function serve(command: Command, argv: readonly string[], more: Injected): Promise<number> {
  // the reader of the output may exit; that is no reason to stop
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
    // leftovers of a failed start or a slow stop must not keep the process alive
    setTimeout(() => process.exit(), LEFTOVER_LIMIT_MS).unref()
  }
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}

/** Returns the width of the terminal, or a default width for files and pipes. */
function columns(): number {
  return process.stdout.columns ?? PAGE_COLUMNS
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

function say(text: string, code: number): number {
  print(text)
  return code
}

function isRunning(begun: Begun): begun is Running {
  return typeof begun === 'object' && 'close' in begun
}

function sayFinished(finished: Finished | string): number {
  return typeof finished === 'string' ? say(finished, 0) : say(finished.text, finished.code)
}

function complain(text: string): number {
  print(text, process.stderr)
  return 1
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Stops a service that is still starting. It was not announced as ready yet, so it is closed once it has started. */
async function endEarly(starting: Promise<Begun>): Promise<number> {
  const limit = setTimeout(() => process.exit(1), START_LIMIT_MS)
  const begun = await starting
  clearTimeout(limit)
  if (!isRunning(begun)) return sayFinished(begun)
  const now = Promise.resolve()
  await endInOrder(begun, { asked: now, atOnce: now }, () => process.exit(1))
  return 0
}
