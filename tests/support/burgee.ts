import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHEAP } from './password-cost.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
/** Path of the published command. */
export const COMMAND = join(dirname(dirname(HERE)), 'bin', 'burgee.mjs')
const CHEAP_COMMAND = join(HERE, 'burgee-command.mjs')
const SERVERS = ['server', 'start']
/** Node compile cache shared by all processes of a run. The cache saves a fifth of the work of each process start. */
export const COMPILED = join(tmpdir(), 'burgee-compiled')
const START_LIMIT_MS = 30_000

/** Running `burgee` process. */
export interface BurgeeProcess {
  readonly pid: number
  /** Returns everything written to standard output so far. */
  readonly output: () => string
  readonly errors: () => string
  /** Waits for the first match of a pattern in the output. Rejects if the process exits before a match. */
  readonly find: (pattern: RegExp) => Promise<string>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves with the exit code, or null if a signal ended the process. */
  readonly ended: Promise<number | null>
}

/**
 * Starts the built command with exactly these variables. Servers use cheap password hashes unless `command` names
 * another file.
 * @param descriptors maximum number of file descriptors of the process (`ulimit -n`)
 */
export function runBurgee(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  command?: string,
  descriptors?: number,
): BurgeeProcess {
  const [program = '', ...given] = limited([process.execPath, ...programOf(args, command), ...args], descriptors)
  const child = spawn(program, given, {
    // another test may have left a backup file, and there is no load balancer that a shutdown has to wait for
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILED,
      FLAG_BACKUP: 'false',
      SHUTDOWN_DELAY: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return {
    pid: child.pid ?? 0,
    output: () => output,
    errors: () => errors,
    find: (pattern) =>
      findIn(
        child,
        () => output,
        () => errors,
        pattern,
      ),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

function limited(command: readonly string[], descriptors: number | undefined): readonly string[] {
  return descriptors === undefined ? command : ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command]
}

function programOf([name = '']: readonly string[], command: string | undefined): readonly string[] {
  if (command !== undefined) return [command]
  return SERVERS.includes(name) ? [CHEAP_COMMAND, JSON.stringify(CHEAP)] : [COMMAND]
}

function findIn(child: ChildProcess, output: () => string, errors: () => string, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void): void => {
      clearTimeout(timer)
      child.stdout?.off('data', look)
      child.off('close', fail)
      end()
    }
    const look = (): void => {
      const match = pattern.exec(output())
      if (match !== null) finish(() => resolve(match[1] ?? match[0]))
    }
    const fail = (): void => finish(() => reject(new Error(`No ${pattern} in:\n${output()}\n${errors()}`)))
    const timer = setTimeout(fail, START_LIMIT_MS)
    child.stdout?.on('data', look)
    child.on('close', fail)
    look()
  })
}

/** Creates a temporary folder for one test file. Call `remove` at the end. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'burgee-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
