import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LaunchDarklyApi } from '@burgee/import/launchdarkly/launchdarkly-api'
import { createLaunchDarklyApiSource } from '@burgee/import/launchdarkly/launchdarkly-source'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asker, NOW } from './asked.ts'

/** Server with paged lists as documented for LaunchDarkly's API. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x')
  asked.push(`${url.pathname}${url.searchParams.has('env') ? ` ${url.searchParams.get('env')}` : ''}`)
  headers.push([request.headers.authorization, request.headers['ld-api-version']])
  const answer = answers[url.pathname.replace('/api/v2', '')] ?? { status: 404 }
  if (busy > 0 || answer.status !== undefined) {
    busy -= 1
    response.writeHead(answer.status ?? 429, { 'retry-after': '0.001' }).end('{"message":"no"}')
    return
  }
  const all = answer.items?.(url.searchParams.get('env')) ?? []
  const from = Number(url.searchParams.get('offset'))
  const items = all.slice(from, from + Number(url.searchParams.get('limit')))
  response.end(answer.text ?? JSON.stringify({ items, ...(answer.isUncounted ? {} : { totalCount: all.length }) }))
})
interface Answer {
  readonly status?: number
  readonly text?: string
  readonly items?: (environment: string | null) => readonly object[]
  readonly isUncounted?: boolean
}
let base = ''
let asked: string[] = []
let headers: unknown[] = []
let busy = 0
let answers: Record<string, Answer> = {}
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

const BOTH = [
  { value: true, _id: 'a' },
  { value: false, _id: 'b' },
]
/** Returns a flag that is on for everyone in `test` and for the members of the segment in `production`. */
const flag = (key: string) => (environment: string | null) => ({
  key,
  variations: BOTH,
  temporary: true,
  environments: {
    [String(environment)]: {
      on: true,
      offVariation: 1,
      fallthrough: { variation: environment === 'test' ? 0 : 1 },
      rules:
        environment === 'test'
          ? []
          : [{ variation: 0, clauses: [{ attribute: '', op: 'segmentMatch', values: ['crew'], negate: false }] }],
    },
  },
})
const KEYS = Array.from({ length: 120 }, (_, index) => `flag-${index}`)

beforeEach(() => {
  ;[asked, headers, busy] = [[], [], 0]
  answers = {
    '/projects/web/environments': { items: () => [{ key: 'test' }, { key: 'production' }] },
    '/flags/web': { items: (environment) => KEYS.map((key) => flag(key)(environment)) },
    '/segments/web/test': { items: () => [], isUncounted: true },
    '/segments/web/production': { items: () => [{ key: 'crew', included: ['7'] }] },
  }
})

const read = (more: Partial<LaunchDarklyApi> = {}, environment?: string) =>
  createLaunchDarklyApiSource(
    { url: `${base}/projects/web/flags`, token: 'api-secret', pauseMs: 0, ...more },
    { project: 'shop', environment },
    () => NOW,
  ).read()

describe('a project over the API', () => {
  test('comes with all pages, of all environments, with the segments of each', async () => {
    busy = 2
    const held = await read()
    expect(held.environments.map(({ name }) => name)).toEqual(['test', 'production'])
    expect(held.flags.map(({ name }) => name)).toEqual(KEYS)
    const { answer: ofAll } = asker(held, 'test')
    const { answer: ofCrew } = asker(held, 'production')
    const told = [ofAll('flag-99', {}), ofCrew('flag-99', { userId: '7' }), ofCrew('flag-99', { userId: '8' })]
    expect(told).toEqual(['on', 'on', 'off'])
    expect(asked.filter((one) => one === '/api/v2/flags/web test')).toHaveLength(3)
    expect(new Set(headers.map((one) => JSON.stringify(one)))).toEqual(new Set(['["api-secret","20240415"]']))
    expect(JSON.stringify(held)).not.toContain('api-secret')
  })

  test('requests one environment alone if one is given', async () => {
    const held = await read({}, 'production')
    expect(held.environments.map(({ name }) => name)).toEqual(['production'])
    expect(asked.filter((one) => one.includes('test'))).toEqual([])
  })
})

test.each<
  [what: string, change: () => void, more: Partial<LaunchDarklyApi>, environment: string | undefined, says: RegExp]
>([
  [
    'a token that may not',
    () => (answers['/flags/web'] = { status: 403 }),
    {},
    undefined,
    /answered 403: give an access token/,
  ],
  [
    'no such project',
    () => (answers['/projects/web/environments'] = { status: 404 }),
    {},
    undefined,
    /environments answered 404/,
  ],
  ['no such environment', () => {}, {}, 'stage', /no environment "stage", but test, production/],
  [
    'an address without a project',
    () => {},
    { url: 'https://app.example.com/' },
    undefined,
    /does not contain a project/,
  ],
  ['another server', () => (answers['/flags/web'] = { text: '<html>' }), {}, undefined, /is it LaunchDarkly\?/],
  ['no list', () => (answers['/flags/web'] = { text: '{}' }), {}, undefined, /did not return a list/],
  [
    'nothing listening',
    () => {},
    { url: 'http://127.0.0.1:9999/projects/web' },
    undefined,
    /cannot be reached \(ECONNREFUSED\)/,
  ],
])('%s: the error names the problem, and not the token', async (_what, change, more, environment, says) => {
  change()
  const error = await read(more, environment).then(String, String)
  expect(error).toMatch(says)
  expect(error).not.toContain('api-secret')
})
