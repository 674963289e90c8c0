import { type Attack, formatStatuses, JSON_TYPE, madeUp } from './attack.ts'
import { flood, type HostileRequest } from './hostile-client.ts'
import type { HostileScene } from './scene.ts'

const MAX_PAGE = 1000
const CONTEXT_PROPERTIES = 400
const CONTEXT_VALUE_BYTES = 100
/** Values of each field of an advanced evaluation; their product is the number of evaluations per flag. */
const VALUES_EACH = 30
const NAMES = Array.from({ length: 20 }, (_, index) => `large-${index}`)

function inventContext(): object {
  const properties = Array.from({ length: CONTEXT_PROPERTIES }, () => [madeUp(), madeUp(CONTEXT_VALUE_BYTES)])
  return { appName: 'playground', userId: madeUp(), properties: Object.fromEntries(properties) }
}

function inventCombinations(): object {
  const values = () => Array.from({ length: VALUES_EACH }, () => madeUp()).join()
  return { appName: 'playground', userId: values(), sessionId: values(), properties: { country: values() } }
}

const get = (path: string) => () => ({ method: 'GET', path: `/api/admin/${path}` })
const post = (path: string, makeBody: () => object) => () => ({
  method: 'POST',
  path: `/api/admin/${path}`,
  headers: JSON_TYPE,
  body: JSON.stringify(makeBody()),
})

/** Expensive requests that change nothing, by kind. */
const READS: Readonly<Record<string, readonly (() => HostileRequest)[]>> = {
  'searches for texts that nothing has': [
    () => get(`search/events?query=${madeUp()}&limit=${MAX_PAGE}`)(),
    () => get(`search/features?query=${madeUp()}&limit=${MAX_PAGE}`)(),
    () => post('events/search', () => ({ query: madeUp(), limit: MAX_PAGE }))(),
  ],
  'exports and histories': [
    post('features-batch/export', () => ({ environment: 'development', features: NAMES })),
    get('projects/large/features/large-0/history'),
    get(`search/events?limit=${MAX_PAGE}`),
    get('events'),
    get(`search/features?limit=${MAX_PAGE}`),
  ],
  'playground requests with huge contexts': [
    post('playground', () => ({ environment: 'development', projects: '*', context: inventContext() })),
    post('playground/advanced', () => ({
      environments: ['development'],
      projects: '*',
      context: inventCombinations(),
    })),
    post('playground/advanced', () => ({
      environments: ['development', 'production'],
      projects: '*',
      context: inventContext(),
    })),
  ],
}

function floodReads({ serverPort: port, viewer, node }: HostileScene, from: string, reads: (() => HostileRequest)[]) {
  const headers = { cookie: viewer, origin: node.base }
  return (bounds: Parameters<typeof flood>[1]) =>
    flood({ port, from }, bounds, (index) => {
      const request = (reads[index % reads.length] as () => HostileRequest)()
      return { ...request, headers: { ...request.headers, ...headers } }
    })
}

/** Expensive reads of the admin API by a user who can change nothing. */
export const ADMIN_READS: readonly Attack[] = Object.entries(READS).map(([kind, reads], index) => ({
  name: `a Viewer who sends ${kind}`,
  async run(scene, size) {
    const statuses = await floodReads(scene, `127.0.5.${index + 1}`, [...reads])(size.flood)
    if ((statuses[200] ?? 0) === 0) throw new Error(`No request was accepted: ${formatStatuses(statuses)}`)
    return formatStatuses(statuses)
  },
}))
