import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@burgee/kit/free-port'

/** What a server process has used since its start. */
export interface Account {
  readonly cpuUs: number
  readonly rssBytes: number
}

/** A server in a process of its own, on a core of its own where the machine allows it. */
export interface Target {
  readonly name: TargetName
  readonly port: number
  /** What it has used by now, by its own accounting. */
  readonly account: () => Promise<Account>
  /** Sends a message and waits for the answer to it. */
  readonly ask: (message: object | string) => Promise<unknown>
  readonly stop: () => Promise<void>
}

export type TargetName = 'floor' | 'burgee' | 'peer'

const HERE = fileURLToPath(new URL('./', import.meta.url))
const COMMAND = join(HERE, '..', '..', 'bin', 'burgee.mjs')
const CLIENT_KEY = 'bench-key'
const HOUR_MS = 3_600_000
const READY_POLL_MS = 50
const LONGEST_START_MS = 60_000

/** The key that both proxies accept. */
export const CLIENT_KEY_HEADER = CLIENT_KEY

const SCRIPTS: Readonly<Record<TargetName, readonly string[]>> = {
  floor: [join(HERE, 'floor.mjs')],
  burgee: [COMMAND, 'proxy'],
  peer: [join(HERE, 'peer.mjs')],
}

/** Prefix of a command that keeps it on one core; empty where there is but one, or no way to do so. */
export function pinnedTo(core: number): readonly string[] {
  const path = (process.env.PATH ?? '').split(delimiter)
  const canPin = process.platform === 'linux' && path.some((folder) => existsSync(join(folder, 'taskset')))
  return canPin && availableParallelism() > core ? ['taskset', '-c', String(core)] : []
}

/** Starts a server over the configuration of `upstreamUrl` and resolves once it answers. */
export async function startTarget(
  name: TargetName,
  upstreamUrl: string,
  more: { readonly env?: Readonly<Record<string, string>>; readonly pin?: readonly string[] } = {},
): Promise<Target> {
  const port = await freePort('127.0.0.1')
  const folder = mkdtempSync(join(tmpdir(), `bench-${name}-`))
  const [command = '', ...args] = [
    ...(more.pin ?? pinnedTo(0)),
    process.execPath,
    '--import',
    join(HERE, 'accounting.mjs'),
    ...SCRIPTS[name],
  ]
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...environmentOf(upstreamUrl, port, folder), ...more.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await untilReady(child, port, name)
  const ask = (message: object | string) => askChild(child, message)
  return {
    name,
    port,
    ask,
    account: () => ask('account') as Promise<Account>,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Names that both proxies know; no polling and no metrics while requests are counted. */
function environmentOf(upstreamUrl: string, port: number, folder: string): Record<string, string> {
  return {
    UNLEASH_URL: upstreamUrl,
    UNLEASH_API_TOKEN: 'bench-token',
    UNLEASH_PROXY_CLIENT_KEYS: CLIENT_KEY,
    UNLEASH_FETCH_INTERVAL: String(HOUR_MS),
    UNLEASH_METRICS_INTERVAL: String(HOUR_MS),
    LOG_LEVEL: 'error',
    PORT: String(port),
    TMPDIR: folder,
    NODE_ENV: 'production',
  }
}

async function untilReady(child: ChildProcess, port: number, name: TargetName): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_START_MS
  const url = `http://127.0.0.1:${port}/proxy?userId=1`
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} instead of starting`)
    try {
      if ((await fetch(url, { headers: { authorization: CLIENT_KEY } })).status === 200) return
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
