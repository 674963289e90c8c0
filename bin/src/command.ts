import { readFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import { findNearestName, formatSuggestion } from '@burgee/kit/options/nearest'
import { COMMANDS, type Command, type CommandResult } from './commands.ts'
import { formatCommandHelp, formatUsage } from './help.ts'
import { isJsonRequested } from './json-option.ts'
import { print } from './output.ts'
import type { CommandOutput, InjectedDeps, RunningService } from './running.ts'
import { listenForEndSignals, shutDownGracefully } from './shutdown.ts'

const [STDIN, STDOUT] = [0, 1]
/** Maximum time that a start may still take when a signal arrives during it. */
const START_LIMIT_MS = 9500
const LEFTOVER_LIMIT_MS = 100
const PAGE_COLUMNS = 100

/**
 * Runs `burgee <command> [options]` and returns the exit code. A service runs until SIGINT or SIGTERM, shuts down
 * gracefully and returns 0. Wrong usage, an invalid option or a failed start prints a line to stderr and returns 1.
 * Tests pass replacements for dependencies in `more`.
 */
export async function runCommand(argv: readonly string[], more: InjectedDeps = {}): Promise<number> {
  const [first, ...others] = argv
  if (isVersion(first)) return printText(readVersion(), 0)
  const asksHelp = first === undefined || isHelp(first)
  const [name, ...rest] = asksHelp ? others : argv
  if (name === undefined) return printText(formatUsage(getColumns()), first === undefined ? 1 : 0)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return printError(describeUnknownCommand(name))
  if (asksHelp || rest.some(isHelp))
    return printText(formatCommandHelp(name, command, await command.options(), getColumns()), 0)
  if (rest.length === 1 && isVersion(rest[0])) return printText(readVersion(), 0)
  try {
    return await serve(command, rest, more)
  } catch (error) {
    const text = getErrorMessage(error)
    return printError(isJsonRequested(rest) ? JSON.stringify({ error: text }) : text)
  }
}

/** Runs a command until it is done or a signal ends it, even during its start. */
async function serve(command: Command, argv: readonly string[], more: InjectedDeps): Promise<number> {
  // the process that reads the output may exit first; this process then continues
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const signals = listenForEndSignals(isatty(STDIN) || isatty(STDOUT))
  const starting = command.run(argv, more)
  try {
    const begun = await Promise.race([starting, signals.requested])
    if (begun === undefined) return await stopDuringStart(starting)
    if (!isRunning(begun)) return printOutput(begun)
    await Promise.race([signals.requested, begun.dismissed ?? signals.requested])
    await shutDownGracefully(begun, signals, () => process.exit(1))
    return 0
  } finally {
    // timers and connections left by a failed start or a slow stop must not keep the process alive
    setTimeout(() => process.exit(), LEFTOVER_LIMIT_MS).unref()
  }
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}

/** Returns the width of the terminal in characters, or a default width for files and pipes. */
function getColumns(): number {
  return process.stdout.columns ?? PAGE_COLUMNS
}

function isVersion(word: string | undefined): boolean {
  return word === '--version' || word === '-v'
}

function describeUnknownCommand(name: string): string {
  const names = Object.keys(COMMANDS)
  const nearest = findNearestName(name, names)
  if (nearest !== undefined) return `Unknown command "${name}"${formatSuggestion(`"${nearest}"`)}`
  return `Unknown command "${name}". Commands: ${names.join(', ')}.`
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function printText(text: string, code: number): number {
  print(text)
  return code
}

function isRunning(begun: CommandResult): begun is RunningService {
  return typeof begun === 'object' && 'close' in begun
}

function printOutput(finished: CommandOutput | string): number {
  return typeof finished === 'string' ? printText(finished, 0) : printText(finished.text, finished.code)
}

function printError(text: string): number {
  print(text, process.stderr)
  return 1
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Stops a service that is still starting. Waits until the service has started and then closes it without a delay,
 * because it was never announced as ready.
 */
async function stopDuringStart(starting: Promise<CommandResult>): Promise<number> {
  const limit = setTimeout(() => process.exit(1), START_LIMIT_MS)
  const begun = await starting
  clearTimeout(limit)
  if (!isRunning(begun)) return printOutput(begun)
  const now = Promise.resolve()
  await shutDownGracefully(begun, { requested: now, immediate: now }, () => process.exit(1))
  return 0
}
