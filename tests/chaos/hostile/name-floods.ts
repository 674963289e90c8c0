import { TOKENS } from '../server-node.ts'
import { type Attack, type AttackSize, formatStatuses, JSON_TYPE, madeUp } from './attack.ts'
import { flood, type HostileRequest } from './hostile-client.ts'
import type { HostileScene } from './scene.ts'

const NAMES_EACH = 800
const REGISTRATIONS_EACH = 100
const CONTEXT_VALUE_BYTES = 100

function inventToggles(): Record<string, { yes: number; no: number }> {
  return Object.fromEntries(Array.from({ length: NAMES_EACH }, () => [madeUp(), { yes: 1, no: 0 }]))
}

/** Returns a usage report in which all names are invented, including the environment. */
function inventMetrics(): object {
  const now = new Date().toISOString()
  const bucket = { start: now, stop: now, toggles: inventToggles() }
  return { appName: madeUp(), instanceId: madeUp(), environment: madeUp(), bucket }
}

function inventRegistration(): object {
  const started = new Date().toISOString()
  return {
    appName: madeUp(),
    instanceId: madeUp(),
    strategies: [madeUp()],
    environment: madeUp(),
    started,
    interval: 1,
  }
}

function inventBulk(): object {
  const metrics = Array.from({ length: NAMES_EACH }, () => ({
    appName: madeUp(),
    featureName: madeUp(),
    environment: madeUp(),
    timestamp: new Date().toISOString(),
    yes: 1,
    no: 0,
    variants: { [madeUp()]: 1 },
  }))
  const applications = Array.from({ length: REGISTRATIONS_EACH }, inventRegistration)
  return { applications, metrics }
}

function inventEvaluation(): object {
  return { context: { userId: madeUp(), properties: { [madeUp()]: madeUp(CONTEXT_VALUE_BYTES) } }, toggles: [madeUp()] }
}

/** Requests with invented names. The requests are sent in turn. */
type NameRequests = readonly { readonly path: string; readonly invent: () => object; readonly authorization: string }[]

const { client, frontend } = TOKENS
const SERVER_REQUESTS: NameRequests = [
  { path: '/api/client/metrics', invent: inventMetrics, authorization: client },
  { path: '/api/client/register', invent: inventRegistration, authorization: client },
]
const EDGE_REQUESTS: NameRequests = [
  ...SERVER_REQUESTS,
  { path: '/api/client/metrics/bulk', invent: inventBulk, authorization: client },
  { path: '/api/frontend', invent: inventEvaluation, authorization: frontend },
]
const listProxyRequests = (authorization: string): NameRequests => [
  { path: '/proxy/client/metrics', invent: inventMetrics, authorization },
  { path: '/proxy/client/register', invent: inventRegistration, authorization },
  { path: '/proxy', invent: inventEvaluation, authorization },
]

async function floodNames(
  route: { readonly port: number; readonly from: string },
  { flood: bounds }: AttackSize,
  requests: NameRequests,
): Promise<string> {
  const make = (index: number): HostileRequest => {
    const { path, invent, authorization } = requests[index % requests.length] as NameRequests[number]
    return { method: 'POST', path, headers: { ...JSON_TYPE, authorization }, body: JSON.stringify(invent()) }
  }
  return formatStatuses(await flood(route, bounds, make))
}

/** Floods of names that no flag, application or environment has, sent by callers with a valid token or key. */
export const NAME_FLOODS: readonly Attack[] = [
  {
    name: 'invented names in metrics of a server with a good token',
    run: ({ serverPort: port }, size) => floodNames({ port, from: '127.0.3.4' }, size, SERVER_REQUESTS),
  },
  {
    name: 'invented flags, applications and environments at an edge with a good token',
    run: ({ edgePort: port }, size) => floodNames({ port, from: '127.0.3.6' }, size, EDGE_REQUESTS),
  },
  {
    name: 'invented flags, applications and environments at a proxy with a good key',
    run: ({ proxyPort: port, proxyKey }, size) =>
      floodNames({ port, from: '127.0.3.7' }, size, listProxyRequests(proxyKey)),
  },
  {
    name: 'invented keys at a proxy',
    async run(scene: HostileScene, size) {
      const statuses = await flood({ port: scene.proxyPort, from: '127.0.3.8' }, size.flood, () => ({
        method: 'GET',
        path: `/proxy?${madeUp()}=${madeUp()}`,
        headers: { authorization: madeUp() },
      }))
      return formatStatuses(statuses)
    },
  },
]
