import { type ContestantData, createRollout, ENVIRONMENTS, getEnvironmentPath, switching } from './alike.ts'
import { type Contestant, TOKENS } from './contestant.ts'
import { requestBytes } from './request.ts'

/** Kind of request that is sent to every compared server. */
export interface BesideScene {
  readonly name: string
  readonly connections: number
  /** Expected status of every response. */
  readonly status: string
  /**
   * Name of a cycle of requests. Kinds of requests with the same cycle continue one common sequence of requests; a kind
   * without a cycle starts its own.
   */
  readonly cycle?: string
  /** Returns the requests, which are sent in order and repeated. */
  readonly requests: (contestant: Contestant, held: ContestantData) => string[] | Promise<string[]>
}

const ADMIN = '/api/admin'
const DOWNLOAD = '/api/client/features'
const CLIENT_SPEC = { 'Unleash-Client-Spec': '5.1.0' }
const DIFFERENT = 100
/**
 * Number of different searches. There are more searches than a server caches, so that each is computed again when it
 * repeats.
 */
const DIFFERENT_SEARCHES = 6000
const [TEXTS, OFFSETS, ORDERS] = [10, 50, ['name', 'createdAt', 'type']]
const FLAGS_OF_A_REPORT = 20
const ADMIN_CONNECTIONS = 4
const SDK_CONNECTIONS = 16
const NEW_ROLLOUTS = [33, 66]

const numbers = Array.from({ length: DIFFERENT }, (_, index) => index)

/** Returns requests that switch flags off and then on again; at the beginning, all flags are on. */
function toggles(_: Contestant, { features }: ContestantData): string[] {
  return [false, true].flatMap((isOn) => features.map((feature) => switching(feature, 'production', isOn)))
}

function updates(_: Contestant, { features, strategies }: ContestantData): string[] {
  return NEW_ROLLOUTS.flatMap((rollout) =>
    features.map((feature, index) =>
      requestBytes({
        method: 'PUT',
        path: `${getEnvironmentPath(feature, 'production')}/strategies/${strategies[index]}`,
        token: TOKENS.admin,
        body: createRollout(feature, index, rollout),
      }),
    ),
  )
}

/** Changes made by several clients, each with one request in flight. */
export const WRITES: readonly BesideScene[] = [
  ...[1, 4, 16, 64].map((clients) => ({
    name: `a flag switched, ${clients} at once`,
    connections: clients,
    status: '200',
    cycle: 'switches',
    requests: toggles,
  })),
  { name: 'a strategy updated, 16 at once', connections: 16, status: '200', requests: updates },
]

const get = (path: string, headers = {}) => requestBytes({ path, token: TOKENS.admin, headers })

/** Returns a search with a different text, page, order or length for each number. */
function searchPath(number: number): string {
  const [text, place] = [number % TEXTS, Math.floor(number / TEXTS)]
  const [offset, rest] = [place % OFFSETS, Math.floor(place / OFFSETS)]
  const [order, longer] = [ORDERS[rest % ORDERS.length], Math.floor(rest / ORDERS.length)]
  return `${ADMIN}/search/features?query=feature-00${text}&limit=${50 + longer}&offset=${offset}&sortBy=${order}`
}

const ADMIN_READS: readonly BesideScene[] = [
  {
    name: 'search',
    connections: ADMIN_CONNECTIONS,
    status: '200',
    requests: () => Array.from({ length: DIFFERENT_SEARCHES }, (_, number) => get(searchPath(number))),
  },
  {
    name: 'list of flags',
    connections: ADMIN_CONNECTIONS,
    status: '200',
    requests: () => [get(`${ADMIN}/projects/default/features`)],
  },
  {
    name: 'list of flags, If-None-Match',
    connections: ADMIN_CONNECTIONS,
    status: '304',
    requests: async ({ port }) => {
      const path = `${ADMIN}/projects/default/features`
      return [get(path, { 'If-None-Match': await readTag(port, path, TOKENS.admin) })]
    },
  },
  {
    name: 'one flag',
    connections: ADMIN_CONNECTIONS,
    status: '200',
    requests: (_, { features }) => features.map((feature) => get(`${ADMIN}/projects/default/features/${feature}`)),
  },
  {
    name: 'playground',
    connections: ADMIN_CONNECTIONS,
    status: '200',
    requests: () =>
      numbers.map((number) =>
        requestBytes({
          method: 'POST',
          path: `${ADMIN}/playground/advanced`,
          token: TOKENS.admin,
          body: { environments: ENVIRONMENTS, projects: '*', context: { appName: 'bench', userId: `user-${number}` } },
        }),
      ),
  },
]

const download = (headers = {}) =>
  requestBytes({ path: DOWNLOAD, token: TOKENS.client, headers: { ...CLIENT_SPEC, ...headers } })

const SDK_REQUESTS: readonly BesideScene[] = [
  { name: 'download', connections: SDK_CONNECTIONS, status: '200', requests: () => [download()] },
  {
    name: 'download, gzip',
    connections: SDK_CONNECTIONS,
    status: '200',
    requests: () => [download({ 'Accept-Encoding': 'gzip' })],
  },
  {
    name: 'download, If-None-Match',
    connections: SDK_CONNECTIONS,
    status: '304',
    requests: async ({ port }) => [
      download({ 'If-None-Match': await readTag(port, DOWNLOAD, TOKENS.client, CLIENT_SPEC) }),
    ],
  },
  {
    name: 'frontend',
    connections: SDK_CONNECTIONS,
    status: '200',
    requests: () =>
      numbers.map((number) =>
        requestBytes({ path: `/api/frontend?userId=user-${number}&sessionId=${number}`, token: TOKENS.frontend }),
      ),
  },
  {
    name: `usage of ${FLAGS_OF_A_REPORT} flags`,
    connections: SDK_CONNECTIONS,
    status: '202',
    requests: (_, { features }) => numbers.map((number) => usageReport(features, number)),
  },
]

/** Requests of users and SDKs that only read. */
export const READS: readonly BesideScene[] = [...ADMIN_READS, ...SDK_REQUESTS]

/** Returns requests that disable and enable each flag, each followed by a download. */
export function changesAndDownloads(features: readonly string[]): string[] {
  const after = download({ 'Accept-Encoding': 'gzip' })
  return features.flatMap((feature) => [false, true].flatMap((isOn) => [switching(feature, 'production', isOn), after]))
}

/** Returns the usage report of an SDK on some of the flags. */
export function usageReport(features: readonly string[], number: number, token: string = TOKENS.client): string {
  const start = Date.now()
  const toggles = Object.fromEntries(
    Array.from({ length: FLAGS_OF_A_REPORT }, (_, offset) => [
      features[(number * FLAGS_OF_A_REPORT + offset) % features.length] ?? '',
      { yes: 1 + offset, no: number },
    ]),
  )
  const bucket = { start: new Date(start - 1000).toISOString(), stop: new Date(start).toISOString(), toggles }
  const body = { appName: `app-${number % 5}`, instanceId: `instance-${number}`, bucket }
  return requestBytes({ method: 'POST', path: '/api/client/metrics', token, body })
}

/** Returns the current ETag of a path. */
export async function readTag(
  port: number,
  path: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: token, 'accept-encoding': 'identity', ...headers },
  })
  await reply.arrayBuffer()
  return reply.headers.get('etag') ?? 'none'
}
