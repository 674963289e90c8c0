import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { callAdmin, TOKENS } from '../server/contestant.ts'
import type { ClientQuestion, StreamEndpoint } from './stream-clients.ts'

const SCRIPT = fileURLToPath(new URL('stream-clients.ts', import.meta.url))
const FLAGS = 'projects/default/features'
/** Name of the flag that is switched on and off. */
const FLAG = 'flipped'

/** Stream for SDKs. */
const SDK_STREAM: StreamEndpoint = { path: '/api/client/streaming', token: TOKENS.client, begins: 'unleash-connected' }

/** Processes with stream clients. */
export interface Audience {
  /** Opens `streams` streams on each server that listens on one of these ports. */
  open(ports: readonly number[], streams: number, at?: StreamEndpoint): Promise<void>
  /** Runs a change and returns, for each stream, how many milliseconds the change took to arrive. */
  timed(change: () => Promise<unknown>): Promise<number[]>
  close(): Promise<void>
  stop(): void
}

/** Starts processes for stream clients. */
export function startAudience(processes: number): Audience {
  const children = Array.from({ length: processes }, () => fork(SCRIPT, { execArgv: ['--conditions=source'] }))
  const askAll = (question: ClientQuestion) => Promise.all(children.map((child) => ask(child, question)))
  return {
    async open(ports, streams, at = SDK_STREAM) {
      const each = Math.floor(streams / ports.length / processes)
      for (const port of ports) await askAll({ open: each, port, ...at })
    },
    async timed(change) {
      const listening = children.map((child) => nextMessage(child))
      const question: ClientQuestion = { hear: true }
      for (const child of children) child.send(question)
      await Promise.all(listening)
      const arrivals = Promise.all(children.map((child) => nextMessage(child)))
      const beganAtMs = Date.now()
      await change()
      return ((await arrivals) as number[][]).flat().map((atMs) => atMs - beganAtMs)
    },
    close: async () => void (await askAll({ close: true })),
    stop: () => {
      for (const child of children) child.kill()
    },
  }
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('message', resolve))
}

function ask(child: ChildProcess, question: ClientQuestion): Promise<unknown> {
  const answer = nextMessage(child)
  child.send(question)
  return answer
}

/** Creates flags that exist in production. One of the flags is on for everyone once it is enabled. */
export async function seedFlags(port: number, count: number): Promise<void> {
  for (let index = 1; index < count; index += 1) await callAdmin(port, 'POST', FLAGS, { name: `flag-${index}` })
  await callAdmin(port, 'POST', FLAGS, { name: FLAG })
  await callAdmin(port, 'POST', `${FLAGS}/${FLAG}/environments/production/strategies`, { name: 'default' })
}

/** Enables or disables the flag. */
export async function flip(port: number, isOn: boolean): Promise<void> {
  await callAdmin(port, 'POST', `${FLAGS}/${FLAG}/environments/production/${isOn ? 'on' : 'off'}`)
}

/** Switches the flag repeatedly, and returns when the streams received each change. */
export async function timedFlips(audience: Audience, port: number, flips: number): Promise<number[]> {
  const all: number[] = []
  for (let index = 0; index < flips; index += 1) {
    all.push(...(await audience.timed(() => flip(port, index % 2 === 0))))
    await sleep(200)
  }
  return all
}

/** Returns a percentile: the value that the given fraction of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
