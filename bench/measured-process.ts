import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a process has used since its start. */
export interface Account {
  readonly cpuUs: number
  readonly rssBytes: number
}

/** A process that tells what it uses. */
export interface MeasuredProcess {
  /** What it has used by now, by its own accounting. */
  readonly account: () => Promise<Account>
  /** For how long its event loop stood still at most since this was last asked, in milliseconds. */
  readonly stall: () => Promise<number>
  /** Sends a message and waits for the answer to it. */
  readonly ask: (message: object | string) => Promise<unknown>
  /** Kills it. */
  readonly stop: () => Promise<void>
}

/** What is started, and how. */
export interface Launch {
  /** As errors call it. */
  readonly name: string
  /** Script and arguments for Node, conditions included. */
  readonly args: readonly string[]
  /** All variables but PATH. */
  readonly env: Readonly<Record<string, string>>
  /** Prefix of the command, as of `pinnedTo`. */
  readonly pin: readonly string[]
  /** Asked until it answers true; what it throws means not yet. */
  readonly isReady: () => Promise<boolean>
}

const ACCOUNTING = fileURLToPath(new URL('accounting.mjs', import.meta.url))
const READY_POLL_MS = 50
const LONGEST_START_MS = 60_000

/** Prefix of a command that keeps it on one core; empty where there is but one, or no way to do so. */
export function pinnedTo(core: number): readonly string[] {
  const path = (process.env.PATH ?? '').split(delimiter)
  const canPin = process.platform === 'linux' && path.some((folder) => existsSync(`${folder}/taskset`))
  return canPin && availableParallelism() > core ? ['taskset', '-c', String(core)] : []
}

/** Starts a process and resolves once it is ready; rejects when it ends before. */
export async function startMeasured({ name, args, env, pin, isReady }: Launch): Promise<MeasuredProcess> {
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
    await untilReady(child, name, isReady)
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

async function untilReady(child: ChildProcess, name: string, isReady: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_START_MS
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} instead of starting`)
    try {
      if (await isReady()) return
    } catch {
      // does not listen yet
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  throw new Error(`${name} was not ready in ${LONGEST_START_MS} ms`)
}

/** One question at a time: the next message from the process is the answer. */
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
