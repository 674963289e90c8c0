import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import type { Discrepancy } from './compare.ts'
import { DOCUMENT } from './feature-document.ts'
import { aim, post } from './requests/build.ts'
import { metricsOf } from './requests/usage.ts'
import { type Rig, startRig } from './rig.ts'
import { compareTraffic, countsOf, sentBy, trafficOf } from './traffic.ts'

const PROXIES = ['peer', 'ours'] as const
const FAST = { UNLEASH_FETCH_INTERVAL: '100', UNLEASH_METRICS_INTERVAL: '150' }
const TARGET = { base: '', keyHeader: 'authorization' }

/** Sequence of events at the upstream, and the differences that it may cause. */
export interface Scene {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  /** Document of the upstream, by default `DOCUMENT`. */
  readonly document?: object
  readonly play: (rig: Rig, upstream: FakeUpstream) => Promise<Discrepancy[]>
}

/** Starts both proxies with a separate upstream, and runs one scene. */
export async function playScene({ env, play, document = DOCUMENT }: Scene, folder: string): Promise<Discrepancy[]> {
  const upstream = await startUpstream(document)
  const rig = await startRig({ upstream, env: { ...FAST, ...env }, folder, readyPath: '/proxy/health' })
  try {
    return await play(rig, upstream)
  } finally {
    await rig.stop()
    await upstream.close()
  }
}

const count = (upstream: FakeUpstream, endpoint: string) =>
  PROXIES.map((who) => sentBy(who, upstream.seen, endpoint).length)

/** Compares one request of each proxy to the upstream, selected by its index. */
function compareAt(upstream: FakeUpstream, what: string, endpoint: string, place: number): Discrepancy[] {
  const [peer, ours] = PROXIES.map((who) => sentBy(who, upstream.seen, endpoint).at(place))
  if (peer === undefined || ours === undefined) throw new Error(`There is no request ${place} to ${endpoint}`)
  return compareTraffic(trafficOf(what, peer), trafficOf(what, ours))
}

const USAGE = [
  metricsOf({ a: { yes: 2, no: 1, variants: { blue: 2 } }, nothing: { yes: 0, no: 0 } }),
  metricsOf({ a: { yes: '1', variants: { blue: 1, red: 4 } }, b: { no: 7 } }),
]
const LISTED = { context: { userId: 'u7' }, toggles: ['on', 'off', 'payload', 'nobody', 'on'] }

/** Sends SDK reports and requests by name, which count as usage, and other requests, which do not. */
async function report(rig: Rig): Promise<void> {
  for (const body of USAGE) await rig.play(aim(post('/proxy/client/metrics', body), TARGET))
  await rig.play(aim(post('/proxy', LISTED), TARGET))
  await rig.play(aim(post('/proxy', { context: {} }), TARGET))
  await rig.play({ method: 'GET', path: '/proxy', headers: [['authorization', 'k1']] })
}

const PROJECT = 'my proj'
const OF_PROJECT = { ...DOCUMENT, features: DOCUMENT.features.map((feature) => ({ ...feature, project: PROJECT })) }
const FILTERS = { UNLEASH_PROJECT_NAME: PROJECT, UNLEASH_NAME_PREFIX: 'pre.fix', UNLEASH_TAGS: 'simple:a b,type2:x' }

async function everyday(rig: Rig, upstream: FakeUpstream): Promise<Discrepancy[]> {
  await until(() => count(upstream, '/client/features').every((asked) => asked > 1))
  await until(() => count(upstream, '/client/register').every((asked) => asked === 1))
  await report(rig)
  const counts = () => PROXIES.map((who) => countsOf(sentBy(who, upstream.seen, '/client/metrics')))
  await until(() => counts().every((lines) => lines.includes('b no: 7') && lines.includes('on yes: 2')))
  const [peer = [], ours = []] = counts()
  return [
    ...compareAt(upstream, 'first fetch', '/client/features', 0),
    ...compareAt(upstream, 'next fetch', '/client/features', 1),
    ...compareAt(upstream, 'register', '/client/register', 0),
    ...compareAt(upstream, 'metrics', '/client/metrics', 0),
    ...compareTraffic(new Map([['counts', peer.join('\n')]]), new Map([['counts', ours.join('\n')]])),
  ]
}

/**
 * Makes the upstream reject `endpoint` for a while, and checks which of the proxies request it again afterwards.
 * Unleash Proxy is judged after Burgee has made more than five further requests.
 */
async function refusedFor(rig: Rig, upstream: FakeUpstream, endpoint: string, status: number): Promise<Discrepancy[]> {
  upstream.answerWith((request, response) => {
    const isRefused = request.url.includes(endpoint)
    response.writeHead(isRefused ? status : request.method === 'GET' ? 304 : 202).end()
  })
  const before = count(upstream, endpoint)
  await report(rig)
  await until(() => count(upstream, endpoint).every((asked, index) => asked > (before[index] ?? 0)))
  upstream.answerWith(undefined)
  const settled = count(upstream, endpoint)
  await until(async () => {
    await report(rig)
    return (count(upstream, endpoint)[1] ?? 0) > (settled[1] ?? 0) + 5
  })
  const [peer, ours] = count(upstream, endpoint).map((asked, index) =>
    asked > (settled[index] ?? 0) + 1 ? 'asks again' : 'never asks again',
  )
  return compareTraffic(
    new Map([[`${endpoint} after ${status}`, peer ?? '']]),
    new Map([[`${endpoint} after ${status}`, ours ?? '']]),
  )
}

/** Restarts both proxies with an upstream that returns only 404, and compares their health. */
export async function playRestart(folder: string): Promise<Discrepancy[]> {
  const upstream = await startUpstream(DOCUMENT)
  const env = { TMPDIR: mkdtempSync(join(folder, 'restart-')), FLAG_BACKUP: 'true' }
  vi.stubEnv('TMPDIR', env.TMPDIR)
  const health = { method: 'GET', path: '/proxy/health', headers: [] }
  try {
    const first = await startRig({ upstream, env, folder, readyPath: health.path })
    await until(() => readdirSync(env.TMPDIR).some((name) => isJson(join(env.TMPDIR, name)))).finally(first.stop)
    upstream.answerWith((_request, response) => void response.writeHead(404).end())
    const rig = await startRig({ upstream, env, folder, readyPath: undefined })
    const { peer, ours } = await until(async () => {
      const answers = await rig.play(health)
      return answers.peer.status === 200 ? answers : undefined
    }).finally(rig.stop)
    const at = 'restart without upstream'
    return peer.status === ours.status ? [] : [{ at, peer: String(peer.status), ours: String(ours.status) }]
  } finally {
    vi.unstubAllEnvs()
    await upstream.close()
  }
}

/** Returns true if a file has been written completely. */
function isJson(path: string): boolean {
  try {
    return typeof JSON.parse(readFileSync(path, 'utf8')) === 'object'
  } catch {
    return false
  }
}

/** All scenes. */
export const SCENES: readonly Scene[] = [
  { name: 'traffic with names of its own', env: FILTERS, document: OF_PROJECT, play: everyday },
  { name: 'traffic as given', env: { UNLEASH_APP_NAME: '', UNLEASH_INSTANCE_ID: '' }, play: everyday },
  {
    name: 'features refused with 401',
    env: {},
    play: (rig, upstream) => refusedFor(rig, upstream, '/client/features', 401),
  },
  {
    name: 'features refused with 400',
    env: {},
    play: (rig, upstream) => refusedFor(rig, upstream, '/client/features', 400),
  },
  {
    name: 'metrics refused with 400',
    env: {},
    play: (rig, upstream) => refusedFor(rig, upstream, '/client/metrics', 400),
  },
]
