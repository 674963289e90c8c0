import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerNode } from '../server-node.ts'
import { TOKENS } from '../server-node.ts'
import { PAGE_KEY, type SoakedProcess } from './scene.ts'

/** Numbers of requests sent and failed. */
export interface SentLoad {
  sent: number
  failed: number
}

/** Time between the starts of two rounds of requests, at normal speed. */
const ROUND_MS = 1000
const FLAGS = 200
/** Lifetime of a temporary flag, in rounds. */
const LIFE_ROUNDS = 30
/** Number of rounds that use the same application name. */
const APPLICATION_ROUNDS = 60
const FEATURES = 'projects/default/features'

const flagName = (index: number) => `flag-${index}`
const passingName = (round: number) => `passing-${round}`

/** Creates the permanent flags. */
export async function seedFlags(server: ServerNode): Promise<void> {
  for (let index = 0; index < FLAGS; index += 1) await server.makeOn(flagName(index))
}

/**
 * Sends the requests of SDKs, pages and administrators, about 25 per second, until `isOver`. Some contexts repeat, and
 * others are new. Flags and applications are changed, added and removed.
 * @param speed number of rounds per second
 */
export async function sendLoad(
  server: ServerNode,
  processes: readonly SoakedProcess[],
  isOver: () => boolean,
  speed = 1,
): Promise<SentLoad> {
  const load: SentLoad = { sent: 0, failed: 0 }
  const send = async (work: () => Promise<Response>): Promise<void> => {
    load.sent += 1
    const reply = await work().catch(() => undefined)
    await reply?.arrayBuffer().catch(() => undefined)
    if (reply === undefined || reply.status >= 500) load.failed += 1
  }
  for (let round = 0; !isOver(); round += 1) {
    const began = performance.now()
    const requests = [
      ...processes.flatMap((process) => (process.name === 'proxy' ? pageRequests : sdkRequests)(process.base, round)),
      ...administrationRequests(server, round),
    ]
    for (const request of requests) await send(request)
    await sleep(Math.max(0, ROUND_MS / speed - (performance.now() - began)))
  }
  return load
}

type Request = () => Promise<Response>

function post(url: string, authorization: string, body: unknown): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

const get = (url: string, authorization: string): Promise<Response> => fetch(url, { headers: { authorization } })

function reportOf(round: number) {
  const now = new Date().toISOString()
  const names = [flagName(round % FLAGS), passingName(round - 1), `unknown-${round % 1000}`]
  const toggles = Object.fromEntries(names.map((name) => [name, { yes: 1, no: 1 }]))
  const appName = `app-${Math.floor(round / APPLICATION_ROUNDS)}`
  return { appName, instanceId: `instance-${round % 50}`, bucket: { start: now, stop: now, toggles } }
}

function sdkRequests(base: string, round: number): Request[] {
  return [
    () => get(`${base}/api/client/features`, TOKENS.client),
    () => get(`${base}/api/client/features?namePrefix=flag-${round % 300}`, TOKENS.client),
    () => get(`${base}/api/frontend?userId=${round}`, TOKENS.frontend),
    () => get(`${base}/api/frontend?userId=${round % 20}`, TOKENS.frontend),
    () => post(`${base}/api/client/metrics`, TOKENS.client, reportOf(round)),
  ]
}

function pageRequests(base: string, round: number): Request[] {
  return [
    () => get(`${base}/proxy?userId=${round}`, PAGE_KEY),
    () => get(`${base}/proxy?userId=${round % 20}`, PAGE_KEY),
    () => post(`${base}/proxy/client/metrics`, PAGE_KEY, reportOf(round)),
  ]
}

function administrationRequests({ admin }: ServerNode, round: number): Request[] {
  const ended = passingName(round - LIFE_ROUNDS)
  const environment = `${FEATURES}/${flagName(round % FLAGS)}/environments/development`
  return [
    () => admin('GET', `search/features?query=${round % 100}`),
    () => admin('GET', FEATURES),
    () => admin('GET', 'projects/default/overview'),
    () => admin('POST', FEATURES, { name: passingName(round) }),
    () => admin('POST', `${environment}/${round % 2 === 0 ? 'off' : 'on'}`, {}),
    () => admin('DELETE', `${FEATURES}/${ended}`),
    () => admin('DELETE', `archive/${ended}`),
  ]
}
