import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Resource usage of a process since its start. */
export interface Account {
  readonly cpuUs: number
  readonly rssBytes: number
}

/** Process that reports how many resources it uses. */
export interface MeasuredProcess {
  /** Returns the usage so far, as reported by the process itself. */
  readonly account: () => Promise<Account>
  /** Returns the longest stall of its event loop since the last call, in milliseconds. */
  readonly stall: () => Promise<number>
  /** Sends a message and waits for the response. */
  readonly ask: (message: object | string) => Promise<unknown>
  /** Kills the process. */
  readonly stop: () => Promise<void>
}

/** Start parameters of a process. */
export interface Launch {
  /** Name in error messages. */
  readonly name: string
  /** Script and arguments for Node.js, conditions included. */
  readonly args: readonly string[]
  /** Environment variables except PATH. */
  readonly env: Readonly<Record<string, string>>
  /** Command prefix, as returned by `pinnedTo`. */
  readonly pin: readonly string[]
  /** Function that is polled until it returns true. If it throws, the process is not ready yet. */
  readonly isReady: () => Promise<boolean>
  /** Time after which the start counts as failed; by default, one minute. */
  readonly maxStartMs?: number | undefined
}

const ACCOUNTING = fileURLToPath(new URL('accounting.mjs', import.meta.url))
const READY_POLL_MS = 50
const MAX_START_MS = 60_000

/** Returns a command prefix that pins a process to a core; empty with a single core or without `taskset`. */
export function pinnedTo(core: number): readonly string[] {
  const path = (process.env.PATH ?? '').split(delimiter)
  const canPin = process.platform === 'linux' && path.some((folder) => existsSync(`${folder}/taskset`))
  return canPin && availableParallelism() > core ? ['taskset', '-c', String(core)] : []
}

/** Starts a process; resolves once it is ready, and rejects if it exits before that. */
export async function startMeasured({
  name,
  args,
  env,
  pin,
  isReady,
  maxStartMs = MAX_START_MS,
}: Launch): Promise<MeasuredProcess> {
  const [command = '', ...rest] = [...pin, process.execPath, '--import', ACCOUNTING, ...args]
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    await untilReady(child, { name, isReady, maxStartMs })
  } catch (error) {
    await stop()
    throw error
  }
  const ask = (message: object | string) => askChild(child, message)
  return {
    ask,
    account: () => ask('account') as Promise<Account>,
    stall: async () => ((await ask('stall')) as { readonly longestMs: number }).longestMs,
    stop,
  }
}

async function untilReady(
  child: ChildProcess,
  { name, isReady, maxStartMs }: Pick<Launch, 'name' | 'isReady'> & { readonly maxStartMs: number },
): Promise<void> {
  const giveUpAt = performance.now() + maxStartMs
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} instead of starting`)
    try {
      if (await isReady()) return
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  throw new Error(`${name} was not ready in ${maxStartMs} ms`)
}

/** Sends a message; the next message from the process is the response, so calls must not overlap. */
export function askChild(child: ChildProcess, message: object | string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The process ended'))
    child.once('exit', onExit)
    child.once('message', (answer) => {
      child.off('exit', onExit)
      resolve(answer)
    })
    child.send(message)
  })
}
