import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findFreePort } from '@burgee/kit/free-port'
import type { Account } from '../measured-process.ts'
import { EDGE_TOKENS } from './edge-target.ts'

/** Unleash Edge in a separate process, pinned like the edge. */
export interface ForeignEdge {
  readonly port: number
  readonly account: () => Promise<Account>
  readonly stop: () => Promise<void>
}

const READY_LIMIT_MS = 60_000
const READY_POLL_MS = 50
const HOUR_SECONDS = '3600'
/** Length of a tick, the unit in which Linux counts the CPU time of processes. */
const TICK_US = 10_000
const PAGE_BYTES = 4096

/** Starts the binary that `EDGE_BIN` names. If the variable is not set, prints the reason and returns undefined. */
export async function startForeignEdge(upstream: string, pin: readonly string[]): Promise<ForeignEdge | undefined> {
  const binary = process.env.EDGE_BIN
  if (binary === undefined) {
    console.log('Unleash Edge skipped: EDGE_BIN names no binary')
    return undefined
  }
  const port = await findFreePort('127.0.0.1')
  const own = { PORT: String(port), INTERFACE: '127.0.0.1', UPSTREAM_URL: upstream, TOKENS: EDGE_TOKENS.start }
  const rare = { FEATURES_REFRESH_INTERVAL_SECONDS: HOUR_SECONDS, METRICS_INTERVAL_SECONDS: HOUR_SECONDS }
  const [program = '', ...args] = [...pin, binary, 'edge']
  const env = { PATH: process.env.PATH ?? '', STRICT: 'true', ...own, ...rare }
  const child = spawn(program, args, { env, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  if (!(await isReady(port))) {
    await stop()
    throw new Error('Unleash Edge did not become ready')
  }
  return { port, account: async () => readAccount(child.pid ?? 0), stop }
}

async function isReady(port: number): Promise<boolean> {
  const end = performance.now() + READY_LIMIT_MS
  while (performance.now() < end) {
    const reply = await fetch(`http://127.0.0.1:${port}/internal-backstage/ready`).catch(() => undefined)
    if (reply?.status === 200) return true
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  return false
}

/** Reads CPU time and memory of all threads of a process. The name of a process, in parentheses, may contain blanks. */
function readAccount(pid: number): Account {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number)
  return { cpuUs: ((user ?? 0) + (system ?? 0)) * TICK_US, rssBytes: (pages ?? 0) * PAGE_BYTES }
}
