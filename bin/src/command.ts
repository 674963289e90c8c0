import { helpText } from '@burgee/kit/option-docs'
import { OptionsError, type OptionTable } from '@burgee/kit/options'
import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { SERVER_OPTIONS } from '@burgee/server/options'
import { runProxy } from './proxy-command.ts'
import type { Running } from './running.ts'
import { runServer } from './server-command.ts'
import { runStart, START_OPTIONS } from './start-command.ts'

/** One subcommand: what it is for, its options, and how it starts. */
interface Command {
  readonly summary: string
  readonly options: OptionTable
  readonly run: (argv: readonly string[]) => Promise<Running>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { summary: 'Server and proxy in one process, with a demo project.', options: START_OPTIONS, run: runStart },
  server: { summary: 'The server: admin, client and frontend API.', options: SERVER_OPTIONS, run: runServer },
  proxy: { summary: 'The client proxy in front of an upstream.', options: PROXY_OPTIONS, run: runProxy },
}

const CLOSE_LIMIT_MS = 9500

/**
 * Runs `burgee <command> [options]` and answers with the exit code. A started service runs until SIGINT or SIGTERM,
 * ends what is in flight and answers 0; wrong usage, a bad option or a failed start answers 1 with a line on stderr.
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || isHelp(name)) return say(usage(), name === undefined ? 1 : 0)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined)
    return complain(`Unknown command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}.`)
  if (rest.some(isHelp)) return say(commandHelp(name, command), 0)
  try {
    const running = await command.run(rest)
    await untilSignal()
    return await closeWithin(running)
  } catch (error) {
    return complain(messageOf(error))
  }
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  burgee ${name.padEnd(8)} ${summary}`)
  return ['Feature flags for every Unleash SDK.', '', 'Usage:', ...lines, '', 'Options: burgee <command> --help'].join(
    '\n',
  )
}

function commandHelp(name: string, command: Command): string {
  return [`burgee ${name}: ${command.summary}`, '', 'Options:', helpText(command.options)].join('\n')
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`)
  return code
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`)
  return 1
}

function messageOf(error: unknown): string {
  if (error instanceof OptionsError) return error.message
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') return `${error.message}. Is another process using this port?`
  return error.message
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/** A service that cannot end in time is left behind, so that the process ends all the same. */
async function closeWithin(running: Running): Promise<number> {
  const timer = setTimeout(() => process.exit(1), CLOSE_LIMIT_MS)
  await running.close()
  clearTimeout(timer)
  return 0
}
