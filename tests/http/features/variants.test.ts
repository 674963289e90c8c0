import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Variants of a flag, changed by JSON Patch in one environment and set in all environments at once. */
let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default/features'
const V = `${P}/f/variants`
const HERE = `${P}/f/environments/development/variants`
const EVENT = 'feature-environment-variants-updated'
const half = [
  { name: 'a', weight: 500 },
  { name: 'b', weight: 500 },
]

beforeAll(async () => {
  server = await startServer()
  for (const name of ['f', 'gone']) await server.call({ as, call: `POST ${P}`, body: { name } })
  await server.call({ as, call: `DELETE ${P}/gone` })
})
afterAll(() => server.close())

describe('variants by JSON Patch', () => {
  const call = `PATCH ${HERE}`
  const put = (name: string, more: object = {}) => [{ op: 'add', path: '/-', value: { name, weight: 1, ...more } }]
  scenarios(() => server, [
    { name: 'anonymous', call, body: put('a'), status: 401 },
    { name: 'a viewer', as: 'viewer', call, body: put('a'), status: 403, text: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS' },
    { name: 'no patch', as, call, body: {}, status: 400 },
    { name: 'a bad operation', as, call, body: [{ op: 'zap', path: '/0' }], status: 400, text: 'op' },
    { name: 'a path to nothing', as, call, body: [{ op: 'remove', path: '/7' }], status: 400, text: '/7' },
    { name: 'something that is no variant', as, call, body: put('a', { weight: 1001 }), status: 400, text: 'weight' },
    { name: 'only fixed ones', as, call, body: put('a', { weightType: 'fix' }), status: 400, text: 'variable' },
    { name: 'no list any more', as, call, body: [{ op: 'replace', path: '', value: {} }], status: 400 },
    {
      name: 'one',
      as: 'editor',
      call,
      body: put('a'),
      status: 200,
      has: { version: 1, variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }] },
      events: [EVENT],
    },
    { name: 'the same name again', as, call, body: put('a'), status: 400 },
    { name: 'another', as, call, body: put('b'), status: 200, has: { variants: half }, events: [EVENT] },
    {
      name: 'a test that holds changes nothing',
      as,
      call,
      body: [{ op: 'test', path: '/0/name', value: 'a' }],
      status: 200,
    },
    { name: 'an unknown flag', as, call: call.replace('/f/', '/nope/'), body: put('a'), status: 404 },
    { name: 'an unknown environment', as, call: call.replace('development', 'nope'), body: put('a'), status: 404 },
    { name: 'an archived flag', as, call: call.replace('/f/', '/gone/'), body: put('a'), status: 404 },
  ] satisfies Scenario[])
})

describe('variants of all environments', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${V}`, status: 401 },
    {
      name: 'those of one environment',
      as: 'viewer',
      call: `GET ${V}`,
      status: 200,
      has: { version: 1, variants: half },
    },
    { name: 'set, anonymous', call: `PUT ${V}`, body: half, status: 401 },
    {
      name: 'set by a viewer',
      as: 'viewer',
      call: `PUT ${V}`,
      body: half,
      status: 403,
      text: 'UPDATE_FEATURE_VARIANTS',
    },
    { name: 'no list', as, call: `PUT ${V}`, body: {}, status: 400 },
    { name: 'set where they are not yet', as: 'editor', call: `PUT ${V}`, body: half, status: 200, events: [EVENT] },
    { name: 'set again', as: 'editor', call: `PUT ${V}`, body: half, status: 200, has: { variants: half } },
    {
      name: 'others',
      as: 'editor',
      call: `PUT ${V}`,
      body: [{ name: 'c', weight: 1000 }],
      status: 200,
      has: { variants: [{ name: 'c' }] },
      events: [EVENT, EVENT],
    },
    {
      name: 'then production has them',
      as,
      call: `GET ${HERE.replace('development', 'production')}`,
      status: 200,
      has: { variants: [{ name: 'c' }] },
    },
    {
      name: 'other ones in one environment',
      as,
      call: `PUT ${HERE}`,
      body: [{ name: 'd', weight: 1000 }],
      status: 200,
      events: [EVENT],
    },
    {
      name: 'then a flag has those of both, each name once',
      as,
      call: `GET ${P}/f`,
      status: 200,
      has: { variants: [{ name: 'd' }, { name: 'c' }] },
    },
    {
      name: 'variants of several environments, without a list of them',
      as: 'editor',
      call: `PUT ${V}-batch`,
      body: { environments: ['development'] },
      status: 400,
      text: 'variants',
    },
    {
      name: 'patched by a viewer',
      as: 'viewer',
      call: `PATCH ${V}`,
      body: [],
      status: 403,
      text: 'UPDATE_FEATURE_VARIANTS',
    },
    {
      name: 'a patch applies to the returned variants and sets them in all environments',
      as: 'editor',
      call: `PATCH ${V}`,
      body: [{ op: 'replace', path: '/1/name', value: 'e' }],
      status: 200,
      has: {
        version: 1,
        variants: [
          { name: 'd', weight: 500 },
          { name: 'e', weight: 500 },
        ],
      },
      events: [EVENT, EVENT],
    },
    {
      name: 'patched where they are so already',
      as: 'editor',
      call: `PATCH ${V}`,
      body: [{ op: 'test', path: '/1/name', value: 'e' }],
      status: 200,
    },
    {
      name: 'a patch that does not hold changes nothing',
      as: 'editor',
      call: `PATCH ${V}`,
      body: [{ op: 'test', path: '/0/name', value: 'other' }],
      status: 400,
    },
    {
      name: 'a patch whose result is not a list of variants',
      as: 'editor',
      call: `PATCH ${V}`,
      body: [{ op: 'remove', path: '/0/name' }],
      status: 400,
      text: 'name',
    },
    { name: 'patched of an unknown flag', as, call: `PATCH ${V.replace('/f/', '/nope/')}`, body: [], status: 404 },
    { name: 'patched of an archived flag', as, call: `PATCH ${V.replace('/f/', '/gone/')}`, body: [], status: 404 },
    { name: 'an unknown flag', as, call: `GET ${V.replace('/f/', '/nope/')}`, status: 404 },
    { name: 'set of an unknown flag', as, call: `PUT ${V.replace('/f/', '/nope/')}`, body: half, status: 404 },
    { name: 'set of an archived flag', as, call: `PUT ${V.replace('/f/', '/gone/')}`, body: half, status: 404 },
  ] satisfies Scenario[])
})

test('resending the stored variants in name order preserves which one has the remaining weight', async () => {
  await server.admin(`POST ${P}`, { name: 'spread' })
  const url = `${P}/spread/environments/development/variants`
  const read = async () =>
    ((await server.admin(`GET ${url}`)) as { variants: { name: string; weight: number }[] }).variants
  const weightsOf = async () => (await read()).map(({ name, weight }) => `${name} ${weight}`)
  const variants = ['red', 'green', 'blue'].map((name) => ({ name, weight: 0, weightType: 'variable' }))
  await server.admin(`PUT ${url}`, variants)
  const wanted = ['blue 333', 'green 333', 'red 334']
  expect(await weightsOf()).toEqual(wanted)
  const stored = await read()
  const last = await server.lastEventId()
  await server.admin(`PUT ${url}`, stored)
  expect([await weightsOf(), await server.lastEventId()]).toEqual([wanted, last])
  await server.admin(`PUT ${url}`, [])
  await server.admin(`PUT ${url}`, stored)
  expect(await weightsOf()).toEqual(wanted)
})
