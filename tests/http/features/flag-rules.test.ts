import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Project rules for flag names, and the limit on the number of flags. */
let server: TestServer
const as = 'admin'
const A = '/api/admin'
const P = `${A}/projects`
const NONE = { featureNaming: { pattern: null, example: null, description: null }, featureLimit: null }
const NAMING = { pattern: 'shop-[a-z]+', example: 'shop-cart', description: 'The shop, then what it is about' }
const at = (id: string) => `${P}/${id}/features`
const flag = (id: string, name: string) => server.admin(`POST ${at(id)}`, { name })
const rules = async (id: string) => {
  const { featureNaming, featureLimit } = await server.admin(`GET ${P}/${id}/overview`)
  return { featureNaming, featureLimit }
}

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${P}`, { id: 'shop', name: 'Shop' })
  await server.admin(`POST ${P}`, { id: 'full', name: 'Full' })
})
afterAll(() => server.close())

describe('setting the rules of a project', () => {
  const call = `PUT ${P}/shop`
  const body = { name: 'Shop' }
  const events = ['project-updated']
  const settings = `PUT ${P}/shop/settings`
  scenarios(() => server, [
    { name: 'none at first', as: 'viewer', call: `GET ${P}/shop/overview`, status: 200, has: NONE },
    { name: 'none at first, in the report', as: 'viewer', call: `GET ${P}/shop/health-report`, status: 200, has: NONE },
    { name: 'anonymous', call: settings, body: {}, status: 401 },
    { name: 'a viewer', as: 'viewer', call: settings, body: {}, status: 403, text: 'UPDATE_PROJECT' },
    { name: 'an unknown project', as, call: `PUT ${P}/nope/settings`, body: {}, status: 404 },
    { name: 'nothing', as, call: settings, body: {}, status: 200, empty: true },
    {
      name: 'no pattern',
      as,
      call: settings,
      body: { featureNaming: { pattern: '(' } },
      status: 400,
      text: 'body/featureNaming/pattern',
    },
    {
      name: 'no RE2 pattern',
      as,
      call: settings,
      body: { featureNaming: { pattern: 'a(?=b)' } },
      status: 400,
      text: 'RE2',
    },
    {
      name: 'a short pattern with too many instructions',
      as,
      call: settings,
      body: { featureNaming: { pattern: '(a?){1000}' } },
      status: 400,
      text: '1,000 RE2 instructions',
    },
    {
      name: 'a huge pattern',
      as,
      call: settings,
      body: { featureNaming: { pattern: 'a'.repeat(501) } },
      status: 400,
      text: 'pattern',
    },
    {
      name: 'a pattern with catastrophic backtracking',
      as,
      call: settings,
      body: { featureNaming: { pattern: '(a+)+b' } },
      status: 200,
      events,
    },
    {
      name: 'an example that breaks it',
      as,
      call: settings,
      body: { featureNaming: { pattern: 'a.*', example: 'bad' } },
      status: 400,
      text: 'body/featureNaming/example',
    },
    {
      name: 'an example alone',
      as,
      call: settings,
      body: { featureNaming: { example: 'a' } },
      status: 400,
      text: 'body/featureNaming/pattern',
    },
    {
      name: 'a text as naming',
      as,
      call: settings,
      body: { featureNaming: 'a.*' },
      status: 400,
      text: 'featureNaming',
    },
    { name: 'a limit below 0', as, call: settings, body: { featureLimit: -1 }, status: 400, text: 'featureLimit' },
    { name: 'half a flag', as, call: settings, body: { featureLimit: 1.5 }, status: 400, text: 'featureLimit' },
    {
      name: 'a limit of no number',
      as,
      call: settings,
      body: { featureLimit: 'many' },
      status: 400,
      text: 'featureLimit',
    },
    {
      name: 'a limit beyond numbers',
      as,
      call: settings,
      body: { featureLimit: 1e300 },
      status: 400,
      text: 'featureLimit',
    },
    { name: 'a mode that is none', as, call: settings, body: { mode: 'secret' }, status: 400, text: 'mode' },
    {
      name: 'a template of links that is none',
      as,
      call: settings,
      body: { linkTemplates: [{ urlTemplate: 'x' }] },
      status: 400,
      text: 'linkTemplates',
    },
    { name: 'a list of none of them', as, call: settings, body: { linkTemplates: [] }, status: 200 },
    { name: 'a naming', as, call: settings, body: { mode: 'protected', featureNaming: NAMING }, status: 200, events },
    { name: 'the same again', as, call: settings, body: { mode: 'protected', featureNaming: NAMING }, status: 200 },
    { name: 'a limit besides', as, call, body: { ...body, featureLimit: 5 }, status: 200, events },
    {
      name: 'both are there',
      as: 'viewer',
      call: `GET ${P}/shop`,
      status: 200,
      has: { name: 'Shop', mode: 'protected', featureNaming: NAMING, featureLimit: 5 },
    },
    { name: 'stay if they are omitted', as, call, body: { ...body, mode: 'open' }, status: 200, events },
    {
      name: 'as here',
      as: 'viewer',
      call: `GET ${P}/shop/overview`,
      status: 200,
      has: { featureNaming: NAMING, featureLimit: 5 },
    },
    {
      name: 'a new naming replaces the whole one',
      as,
      call,
      body: { ...body, featureNaming: { pattern: 'b.*' } },
      status: 200,
      events,
    },
    {
      name: 'as here',
      as,
      call: `GET ${P}/shop/overview`,
      status: 200,
      has: { featureNaming: { pattern: 'b.*', example: null, description: null } },
    },
    {
      name: 'empty texts are none',
      as,
      call,
      body: { ...body, featureNaming: { pattern: '', example: '', description: '' } },
      status: 200,
      events,
    },
    { name: 'null is none', as, call, body: { ...body, featureNaming: null, featureLimit: null }, status: 200, events },
    { name: 'none again', as: 'viewer', call: `GET ${P}/shop/overview`, status: 200, has: NONE },
    {
      name: 'with a new project',
      as,
      call: `POST ${P}`,
      body: { id: 'ruled', name: 'Ruled', featureNaming: NAMING, featureLimit: 0 },
      status: 201,
      has: { featureNaming: NAMING, featureLimit: 0 },
      events: ['project-created'],
    },
    {
      name: 'a bad one with a new project',
      as,
      call: `POST ${P}`,
      body: { name: 'x', featureNaming: { pattern: '(' } },
      status: 400,
      text: 'pattern',
    },
  ] satisfies Scenario[])

  test('the event has the values before and after', async () => {
    const last = await server.lastEventId()
    await server.admin(`PUT ${P}/full/settings`, { featureNaming: NAMING, featureLimit: 7 })
    const row = await server.db.row('select data, pre_data from events where id > ?', last)
    expect(JSON.parse(String(row?.data))).toMatchObject({ id: 'full', featureNaming: NAMING, featureLimit: 7 })
    expect(JSON.parse(String(row?.pre_data))).toMatchObject({ id: 'full', ...NONE })
    await server.admin(`PUT ${P}/full/settings`, { featureNaming: null, featureLimit: null })
    expect(await rules('full')).toEqual(NONE)
  })
})

describe('names of flags', () => {
  beforeAll(async () => {
    await flag('shop', 'old')
    await flag('full', 'elsewhere')
    await server.admin(`PUT ${P}/shop/settings`, { featureNaming: NAMING })
  })
  const call = `POST ${at('shop')}`
  const bad = { status: 400, text: 'shop-[a-z]+' }
  scenarios(() => server, [
    { name: 'one that fits', as, call, body: { name: 'shop-cart' }, status: 201, events: ['feature-created'] },
    {
      name: 'one that does not',
      as,
      call,
      body: { name: 'cart' },
      ...bad,
      has: { name: 'ValidationError', details: [{ path: 'body/name' }] },
    },
    { name: 'shows an example', as, call, body: { name: 'cart' }, status: 400, text: 'shop-cart' },
    { name: 'shows its description', as, call, body: { name: 'cart' }, status: 400, text: NAMING.description },
    { name: 'one that only begins so', as, call, body: { name: 'shop-cart-2' }, ...bad },
    { name: 'one that only ends so', as, call, body: { name: 'my-shop-cart' }, ...bad },
    {
      name: 'a copy that fits',
      as,
      call: `${call}/shop-cart/clone`,
      body: { name: 'shop-list' },
      status: 201,
      events: ['feature-created'],
    },
    { name: 'a copy that does not', as, call: `${call}/shop-cart/clone`, body: { name: 'list' }, ...bad },
    {
      name: 'a question that fits',
      as,
      call: `POST ${A}/features/validate`,
      body: { name: 'shop-new', projectId: 'shop' },
      status: 200,
    },
    {
      name: 'a question that does not',
      as,
      call: `POST ${A}/features/validate`,
      body: { name: 'new', projectId: 'shop' },
      ...bad,
    },
    { name: 'a question for no project', as, call: `POST ${A}/features/validate`, body: { name: 'new' }, status: 200 },
    {
      name: 'another project',
      as,
      call: `POST ${at('full')}`,
      body: { name: 'cart' },
      status: 201,
      events: ['feature-created'],
    },
    {
      name: 'a flag that comes from there',
      as,
      call: `POST ${at('full')}/elsewhere/changeProject`,
      body: { newProjectId: 'shop' },
      ...bad,
    },
    {
      name: 'a flag of before may change',
      as,
      call: `PUT ${at('shop')}/old`,
      body: { description: 'd' },
      status: 200,
      events: ['feature-metadata-updated'],
    },
    { name: 'and go', as, call: `DELETE ${at('shop')}/old`, status: 202, events: ['feature-archived'] },
    {
      name: 'and come back',
      as,
      call: `POST ${A}/archive/revive/old`,
      body: {},
      status: 200,
      events: ['feature-revived'],
    },
  ] satisfies Scenario[])
})

describe('the limit of flags', () => {
  beforeAll(async () => {
    await server.admin(`PUT ${P}/shop/settings`, { featureNaming: null })
    await flag('full', 'second')
    await server.admin(`PUT ${P}/full/settings`, { featureLimit: 3 })
  })
  const call = `POST ${at('full')}`
  const full = { status: 403, text: 'maximum number of flags, 3', has: { name: 'InvalidOperationError' } }
  scenarios(() => server, [
    { name: 'one too many', as, call, body: { name: 'fourth' }, ...full },
    { name: 'a copy too many', as, call: `${call}/second/clone`, body: { name: 'fourth' }, ...full },
    {
      name: 'one too many from elsewhere',
      as,
      call: `POST ${at('shop')}/old/changeProject`,
      body: { newProjectId: 'full' },
      ...full,
    },
    { name: 'one goes', as, call: `DELETE ${at('full')}/second`, status: 202, events: ['feature-archived'] },
    { name: 'another comes', as, call, body: { name: 'third' }, status: 201, events: ['feature-created'] },
    { name: 'the first would be one too many again', as, call: `POST ${A}/archive/revive/second`, body: {}, ...full },
    { name: 'also together with others', as, call: `POST ${P}/full/revive`, body: { features: ['second'] }, ...full },
    {
      name: 'those that are there may change',
      as,
      call: `PUT ${at('full')}/third`,
      body: { stale: true },
      status: 200,
      events: ['feature-stale-on'],
    },
    {
      name: 'a limit below what is there',
      as,
      call: `PUT ${P}/full/settings`,
      body: { featureLimit: 1 },
      status: 200,
      events: ['project-updated'],
    },
    { name: 'takes none away', as, call: `GET ${at('full')}`, status: 200, has: { features: [{}, {}, {}] } },
    {
      name: 'no limit',
      as,
      call: `PUT ${P}/full/settings`,
      body: { featureLimit: null },
      status: 200,
      events: ['project-updated'],
    },
    {
      name: 'and all may come',
      as,
      call: `POST ${P}/full/revive`,
      body: { features: ['second'] },
      status: 200,
      events: ['feature-revived'],
    },
  ] satisfies Scenario[])

  test('holds for many at once', async () => {
    await server.admin(`PUT ${P}/full/settings`, { featureLimit: 7 })
    const names = Array.from({ length: 12 }, (_, index) => `at-once-${index}`)
    const replies = await Promise.all(names.map((name) => server.call({ as, call, body: { name } })))
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([...Array(3).fill(201), ...Array(9).fill(403)])
  })
})
