import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStream } from '../events/open-stream.ts'
import { textColumnsOf, WORDLESS } from './canary-columns.ts'
import { CANARY, type Caller, type CanaryServer, FLAG, PROJECT, startCanaryServer } from './canary-project.ts'

/**
 * All data of a private project contains a marker word. Non-members must not read it in any reply to a GET, live stream
 * or metric. The test takes routes from the route table, so it automatically covers new routes.
 */
let canary: CanaryServer
const A = '/api/admin'
const P = `${A}/projects`

beforeAll(async () => {
  canary = await startCanaryServer()
}, 120_000)
afterAll(() => canary.server.close())

/** Values of path parameters for open and private objects. Parameters that are not listed get unknown names. */
const OPEN: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureName: 'open-flag',
  environment: 'development',
  name: 'development',
  contextField: 'plan',
  strategyName: 'flexibleRollout',
  strategy: 'flexibleRollout',
  type: 'simple',
  id: '1',
}
const privateParams = (): Readonly<Record<string, string>> => ({
  ...OPEN,
  ...canary.ids,
  projectId: PROJECT,
  featureName: FLAG,
  appName: `${CANARY}-app`,
  value: `${CANARY}tag`,
  key: FLAG,
  id: canary.ids.request,
})
/** Paths in which a parameter has a different meaning than elsewhere. */
const BY_ROUTE = (): readonly string[] => [
  `${A}/addons/${canary.ids.integration}`,
  `${A}/addons/${canary.ids.integration}/events`,
  `${A}/events/${CANARY}-deleted`,
  `${A}/features/${CANARY}-deleted/tags`,
  `${A}/client-metrics/features/${CANARY}-deleted`,
  `${A}/client-metrics/features/${CANARY}-deleted/raw?hoursBack=48`,
  `${A}/segments/${canary.ids.segmentId}`,
  `${A}/tags/simple/${CANARY}bulk`,
  `${A}/api-tokens/${CANARY}-token`,
]
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  [`${A}/search/features`]: [
    '',
    `?query=${CANARY}`,
    `?project=IS:${PROJECT}`,
    '?archived=IS:true',
    '?limit=100&offset=0',
  ],
  [`${A}/search/events`]: [
    '',
    `?query=${CANARY}`,
    `?project=IS:${PROJECT}`,
    `?feature=IS:${FLAG}`,
    '?type=IS:tag-created',
  ],
  [`${A}/search/change-requests`]: ['', `?project=IS:${PROJECT}`],
  [`${A}/events`]: ['', `?project=${PROJECT}`],
  [P]: ['', '?archived=true'],
  [`${A}/user/roles`]: ['', `?projectId=${PROJECT}`],
  '/api/client/features': ['', `?project=${PROJECT}`, `?namePrefix=${CANARY}`],
  [`${A}/metrics/applications`]: ['', `?query=${CANARY}`, '?sortBy=lastSeen'],
}
/** Routes that are not called. `/logout` would end the caller's session. */
const NOT_CALLED = ['/logout', '/*']

function allGets(): string[] {
  const routes = canary.server.server.routes.filter(
    ({ method, replies, url }) =>
      method === 'GET' && replies[200]?.contentType !== 'text/event-stream' && !NOT_CALLED.includes(url),
  )
  const fill = (url: string, known: Readonly<Record<string, string>>) =>
    url.replace(/:([A-Za-z]+)/g, (_all, name: string) => known[name] ?? 'nothing')
  const filled = routes.flatMap(({ url }) => [fill(url, OPEN), fill(url, privateParams())])
  const queried = filled.flatMap((url) => (QUERIES[url] ?? ['']).map((query) => `${url}${query}`))
  return [...new Set([...queried, ...BY_ROUTE()])]
}

/** Removes from a reply everything that the caller sent. */
function withoutEcho(body: string, url: string): string {
  const said = decodeURIComponent(url)
    .split(/[/?&=:]/)
    .filter((part) => part.includes(CANARY))
  return said.toSorted((a, b) => b.length - a.length).reduce((rest, part) => rest.replaceAll(part, ''), body)
}

/** Returns the URLs whose replies contain the marker word. */
async function tellingOf(caller: Caller): Promise<string[]> {
  const telling: string[] = []
  for (const url of allGets()) {
    const reply = await canary.server.call({ ...caller, call: `GET ${url}` })
    const text = `${reply.body} ${JSON.stringify(reply.headers)}`
    if (withoutEcho(text, url).includes(CANARY)) telling.push(url)
  }
  return telling
}

test('every text column contains the marker, or a reason why project text cannot reach it', async () => {
  const columns = await textColumnsOf(canary.server.db, CANARY)
  const listed = Object.values(WORDLESS).flat()
  const without = columns.filter(({ hasWord }) => !hasWord).map(({ name }) => name)
  expect(columns.length).toBeGreaterThan(150)
  expect(without.toSorted()).toEqual(listed.toSorted())
})

describe('the word of a private project', () => {
  test('appears in many replies to members, which shows that these reads would find it', async () => {
    const telling = await tellingOf(canary.member)
    for (const url of [
      P,
      `${A}/features/${FLAG}/tags`,
      `${A}/tags`,
      `${A}/tags/simple`,
      `${A}/search/features`,
      `${A}/search/events?type=IS:tag-created`,
      `${A}/segments`,
      `${A}/metrics/applications`,
      `${A}/metrics/applications/${CANARY}-app`,
      `${A}/metrics/applications/${CANARY}-app/overview`,
      `${A}/metrics/instances/${CANARY}-app/environment/development`,
      `${A}/metrics/unknown-flags`,
      `${A}/instance-admin/statistics`,
      `${A}/client-metrics/features/${CANARY}-deleted`,
      `${A}/addons/${canary.ids.integration}`,
      `${P}/${PROJECT}/features/${FLAG}/comments`,
    ]) {
      expect(telling).toContain(url)
    }
    expect(telling.length).toBeGreaterThan(40)
  }, 60_000)

  test('appears in no reply to a user without access', async () => {
    const telling: string[] = []
    for (const [who, caller] of canary.strangers) {
      for (const url of await tellingOf(caller)) telling.push(`${who}: ${url}`)
    }
    expect(telling).toEqual([])
  }, 240_000)

  test('appears in no series, also right after a project becomes private', async () => {
    const { server } = canary
    const turning = 'turning'
    await server.admin(`POST ${P}`, { id: turning, name: 'Turning' })
    await server.admin(`POST ${P}/${turning}/features`, { name: 'turning-flag' })
    const series = async () => (await server.call({ call: 'GET /internal-backstage/prometheus' })).body
    const before = await series()
    expect([before.includes('toggle="turning-flag"'), before.includes('project="turning"')]).toEqual([true, true])
    expect(before).toMatch(
      /feature_toggle_usage_total\{toggle="\(private\)",active="true",appName="\(private\)"\} [1-9]/,
    )
    await server.admin(`PUT ${P}/${turning}/settings`, { mode: 'private' })
    const after = await series()
    expect(after).toContain(
      'feature_toggle_update_total{toggle="(private)",project="(private)",environment="(private)"',
    )
    expect([after.includes('turning'), after.includes(CANARY)]).toEqual([false, false])
  })

  test('appears in no live stream of a stranger, but in those of others', async () => {
    const { server, strangers, member, secret } = canary
    const { url } = await server.server.listen()
    const adminStreams = [...strangers].filter(([who]) => !who.startsWith('client') && !who.startsWith('frontend'))
    const cookieOf = (caller: Caller, name: string): Record<string, string> =>
      caller.headers ?? { cookie: `burgee-session=${name}-session` }
    const readers = adminStreams.filter(
      ([, { as, headers }]) => headers !== undefined || as === 'viewer' || as === 'editor',
    )
    const open = await Promise.all(
      readers.map(([who, caller]) => openStream(`${url}${A}/event-stream`, cookieOf(caller, who))),
    )
    const own = await openStream(`${url}${A}/event-stream`, member.headers ?? {})
    const sdk = (token: string) => openStream(`${url}/api/client/streaming`, { authorization: token })
    const others = await sdk('default:development.client-secret')
    const ours = await sdk(secret)
    const text = (stream: { readonly heard: unknown }) => JSON.stringify(stream.heard)
    await Promise.all([...open, own].map((stream) => stream.next(({ event }) => event === 'connected')))
    await server.admin(`POST ${P}/${PROJECT}/features`, { name: `${CANARY}-live`, description: CANARY })
    await server.admin(`POST ${A}/features/${CANARY}-live/tags`, { type: 'simple', value: `${CANARY}live` })
    await server.admin(`POST ${P}/default/features`, { name: 'after', description: 'open' })
    await server.admin(`POST ${P}/default/features/after/environments/development/on`)
    await Promise.all([...open, own, others].map((stream) => stream.next(() => text(stream).includes('"after"'))))
    await ours.next(() => text(ours).includes(CANARY))
    expect([...open, others].map((stream) => text(stream).includes(CANARY))).toEqual([...open, others].map(() => false))
    expect(text(own)).toContain(CANARY)
    for (const stream of [...open, own, others, ours]) stream.close()
  }, 30_000)
})
