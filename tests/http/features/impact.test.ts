import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Impact of edits, measured with sampled evaluations, in two environments of which only one is sampled. */
let server: TestServer
const P = '/api/admin/projects/default'
const FLAG = `${P}/features/checkout/environments/development`
const SAMPLING = '/api/admin/environments/development/traffic-sampling'
const rollout = (percent: number, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percent), stickiness: 'default', groupId: 'checkout' },
  ...more,
})
const only = (...values: string[]) => ({ contextName: 'plan', operator: 'IN', values })
const variant = (name: string) => ({ name, weight: 1000, weightType: 'variable', stickiness: 'default' })
let id = ''
let child = ''

/** Simulates a front end that evaluates its flags for users with numbers. Every second user has the plan "pro". */
async function evaluate(users: number, as = TOKENS.frontend as string) {
  for (let user = 0; user < users; user++) {
    const plan = user % 2 === 0 ? 'pro' : 'free'
    await server.call({ as, call: `GET /api/frontend?userId=${user}&plan=${plan}` })
  }
}

/** Returns the sampled users for whom a flag is on. */
async function onFor(flag: string, users: number): Promise<string[]> {
  const on: string[] = []
  for (let user = 0; user < users; user++) {
    const plan = user % 2 === 0 ? 'pro' : 'free'
    const body = {
      environment: 'development',
      projects: ['default'],
      context: { appName: 'a', userId: `${user}`, properties: { plan } },
    }
    const { features } = await server.admin('POST /api/admin/playground', body)
    if (features.find(({ name }: { name: string }) => name === flag).isEnabled) on.push(`${user}`)
  }
  return on
}

const ask = (body: object, flag = 'checkout') =>
  server.admin(`POST ${P}/features/${flag}/environments/development/impact`, body)

const START_MS = Date.UTC(2026, 0, 1)
let nowMs = START_MS
beforeAll(async () => {
  // the clock advances each time it is read, so sampling drops nothing
  server = await startServer({}, () => (nowMs += 1))
  for (const name of ['checkout', 'basket', 'empty', 'shut']) await server.admin(`POST ${P}/features`, { name })
  const there = (name: string) => `${P}/features/${name}/environments/development`
  id = (await server.admin(`POST ${FLAG}/strategies`, rollout(25))).id
  await server.admin(`POST ${FLAG}/on`)
  child = (await server.admin(`POST ${there('basket')}/strategies`, rollout(100))).id
  await server.admin(`POST ${P}/features/basket/dependencies`, { feature: 'checkout' })
  await server.admin(`POST ${there('basket')}/on`)
  await server.admin(`POST ${there('shut')}/strategies`, rollout(100))
  await server.admin('POST /api/admin/segments', { name: 'pros', constraints: [only('pro')] })
})
afterAll(() => server.close())

describe('without the option', () => {
  const nothing = { sampling: false, evaluations: 0, offToOn: 0, onToOff: 0, otherVariant: 0, from: null, to: null }
  scenarios(
    () => server,
    [
      {
        name: 'without samples',
        as: 'admin',
        call: `GET ${SAMPLING}`,
        status: 200,
        has: { enabled: false, contexts: 0, bytes: 0, leftOut: 0, since: null },
      },
      {
        name: 'an edit reports it',
        as: 'admin',
        call: `POST ${FLAG}/impact`,
        body: { strategy: rollout(50) },
        status: 200,
        has: nothing,
        events: [],
      },
    ],
  )

  test('sampling has no contexts from before it was switched on', async () => {
    await evaluate(5)
    expect((await server.admin(`PUT ${SAMPLING}`, { enabled: true })).contexts).toBe(0)
    await server.admin(`PUT ${SAMPLING}`, { enabled: false })
  })
})

describe('the switch', () => {
  const on = { enabled: true }
  const event = 'environment-updated'
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: `PUT ${SAMPLING}`, body: on, status: 401 },
      { name: 'read by an editor', as: 'editor', call: `GET ${SAMPLING}`, status: 403 },
      { name: 'by an editor', as: 'editor', call: `PUT ${SAMPLING}`, body: on, status: 403, events: [] },
      {
        name: 'of no environment',
        as: 'admin',
        call: 'PUT /api/admin/environments/nope/traffic-sampling',
        body: on,
        status: 404,
        events: [],
      },
      {
        name: 'with a text',
        as: 'admin',
        call: `PUT ${SAMPLING}`,
        body: { enabled: 'yes' },
        status: 400,
        text: 'enabled',
        events: [],
      },
      {
        name: 'with more',
        as: 'admin',
        call: `PUT ${SAMPLING}`,
        body: { enabled: true, rate: 1 },
        status: 400,
        text: 'rate',
        events: [],
      },
      {
        name: 'on',
        as: 'admin',
        call: `PUT ${SAMPLING}`,
        body: on,
        status: 200,
        has: { enabled: true, contexts: 0 },
        events: [event],
      },
      { name: 'turned on again', as: 'admin', call: `PUT ${SAMPLING}`, body: on, status: 200, events: [] },
    ],
  )

  test('its event has the values before and after', async () => {
    const { events } = await server.admin('GET /api/admin/events?limit=1')
    expect(events[0]).toMatchObject({
      type: event,
      environment: 'development',
      data: { name: 'development', trafficSampling: true },
      preData: { trafficSampling: false },
    })
  })
})

describe('the effect of an edit', () => {
  let was: string[]
  beforeAll(async () => {
    await evaluate(60)
    was = await onFor('checkout', 60)
  })

  test('lists nothing for an edit that changes nothing', async () => {
    const { evaluations, offToOn, onToOff, otherVariant } = await ask({ strategy: { id, ...rollout(25) } })
    expect({ evaluations, offToOn, onToOff, otherVariant }).toEqual({
      evaluations: 60,
      offToOn: 0,
      onToOff: 0,
      otherVariant: 0,
    })
    expect(was.length).toBeGreaterThan(5)
  })

  test.each<[string, () => object, (was: number) => object]>([
    ['everyone', () => ({ strategy: { id, ...rollout(100) } }), (was) => ({ offToOn: 60 - was, onToOff: 0 })],
    ['no one', () => ({ strategy: { id, ...rollout(0) } }), (was) => ({ offToOn: 0, onToOff: was })],
    ['off', () => ({ enabled: false }), (was) => ({ offToOn: 0, onToOff: was })],
    ['on, as it is', () => ({ enabled: true }), () => ({ offToOn: 0, onToOff: 0 })],
    [
      'the only strategy disabled',
      () => ({ strategy: { id, ...rollout(25, { disabled: true }) } }),
      (was) => ({ offToOn: 0, onToOff: was }),
    ],
    ['the only strategy out', () => ({ removeStrategy: id }), (was) => ({ offToOn: 0, onToOff: was })],
    ['one more, for all', () => ({ strategy: rollout(100) }), (was) => ({ offToOn: 60 - was, onToOff: 0 })],
    ['one more, disabled', () => ({ strategy: rollout(100, { disabled: true }) }), () => ({ offToOn: 0, onToOff: 0 })],
    [
      'one in place of the other',
      () => ({ removeStrategy: id, strategy: rollout(100) }),
      (was) => ({ offToOn: 60 - was, onToOff: 0 }),
    ],
    ['all strategies replaced', () => ({ strategies: [rollout(0), rollout(100)] }), (was) => ({ offToOn: 60 - was })],
    ['all strategies removed', () => ({ strategies: [] }), (was) => ({ offToOn: 0, onToOff: was })],
    [
      'turned on with other strategies',
      () => ({ enabled: true, strategies: [rollout(25)] }),
      () => ({ offToOn: 0, onToOff: 0 }),
    ],
    ['variants', () => ({ variants: [variant('a')] }), (was) => ({ otherVariant: was, offToOn: 0 })],
    [
      'variants of the strategy',
      () => ({ strategy: { id, ...rollout(25, { variants: [variant('a')] }) } }),
      (was) => ({ otherVariant: was }),
    ],
  ])('%s', async (_what, edit, wanted) => {
    expect(await ask(edit())).toMatchObject({ sampling: true, evaluations: 60, ...wanted(was.length) })
  })

  test('dates the samples by the wall clock', async () => {
    const [{ from }, { since }] = await Promise.all([ask({ enabled: true }), server.admin(`GET ${SAMPLING}`)])
    for (const date of [from, since]) expect(Date.parse(date)).toBeGreaterThan(START_MS)
  })

  test.each<[string, object]>([
    ['another percentage', rollout(60)],
    ['another group', { ...rollout(25), parameters: { rollout: '25', stickiness: 'default', groupId: 'other' } }],
    ['a constraint', rollout(80, { constraints: [only('pro')] })],
    ['a segment', rollout(80, { segments: [1] })],
  ])('%s, in the form that is saved', async (_what, strategy) => {
    const foretold = await ask({ strategy: { id, ...strategy } })
    await server.admin(`PUT ${FLAG}/strategies/${id}`, { segments: [], ...strategy })
    const is = await onFor('checkout', 60)
    await server.admin(`PUT ${FLAG}/strategies/${id}?allowEmpty=true`, { ...rollout(25), segments: [] })
    const figure = (people: string[]) => (people.length > 0 && people.length < 5 ? null : people.length)
    expect(foretold).toMatchObject({
      offToOn: figure(is.filter((user) => !was.includes(user))),
      onToOff: figure(was.filter((user) => !is.includes(user))),
    })
    expect(is.join()).not.toBe(was.join())
  })

  test('keeps users off for whom the parent is off', async () => {
    const edit = { strategy: { id: child, ...rollout(0) } }
    expect(await ask(edit, 'basket')).toMatchObject({ evaluations: 60, onToOff: was.length })
  })

  test('enabling without a strategy turns everyone on, including users who were off with one', async () => {
    expect(await ask({ enabled: true }, 'empty')).toMatchObject({ offToOn: 60 })
    expect(await ask({ enabled: true }, 'shut')).toMatchObject({ offToOn: 60 })
    expect(await ask({ strategy: rollout(50) }, 'shut')).toMatchObject({ offToOn: 0, onToOff: 0 })
  })

  test('fewer than five people are not counted out', async () => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: was.slice(0, 4) }]
    const some = await ask({
      strategy: { id, ...rollout(25, { constraints: [{ ...constraints[0], inverted: true }] }) },
    })
    expect(some.onToOff).toBeNull()
    const five = [{ contextName: 'userId', operator: 'IN', inverted: true, values: was.slice(0, 5) }]
    expect((await ask({ strategy: { id, ...rollout(25, { constraints: five }) } })).onToOff).toBe(5)
  })

  test('the answer and the look at the sample hold nothing of a context', async () => {
    const answer = await ask({ strategy: { id, ...rollout(60) } })
    const size = await server.admin(`GET ${SAMPLING}`)
    expect(Object.keys({ ...answer, ...size }).sort()).toEqual([
      'bytes',
      'contexts',
      'enabled',
      'evaluations',
      'from',
      'leftOut',
      'offToOn',
      'onToOff',
      'otherVariant',
      'sampling',
      'since',
      'to',
    ])
  })
})

describe('access to the effect of an edit', () => {
  const call = `POST ${FLAG}/impact`
  const edit = { strategy: rollout(50) }
  const rows: Scenario[] = [
    { name: 'anonymous', call, body: edit, status: 401 },
    { name: 'a viewer', as: 'viewer', call, body: edit, status: 403, text: 'CREATE_FEATURE_STRATEGY' },
    {
      name: 'a viewer, of a switch',
      as: 'viewer',
      call,
      body: { enabled: true },
      status: 403,
      text: 'UPDATE_FEATURE_ENVIRONMENT',
    },
    {
      name: 'a viewer, of variants',
      as: 'viewer',
      call,
      body: { variants: [] },
      status: 403,
      text: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    },
    {
      name: 'a viewer, of a removal',
      as: 'viewer',
      call,
      body: { removeStrategy: 'x' },
      status: 403,
      text: 'DELETE_FEATURE_STRATEGY',
    },
    {
      name: 'a viewer, of all strategies',
      as: 'viewer',
      call,
      body: { strategies: [] },
      status: 403,
      text: 'CREATE_FEATURE_STRATEGY',
    },
    { name: 'an editor', as: 'editor', call, body: edit, status: 200, events: [] },
    { name: 'a front end', as: 'frontend', call, body: edit, status: 403 },
  ]
  scenarios(() => server, rows)
})

describe('edits that saving would refuse', () => {
  const call = `POST ${FLAG}/impact`
  const as = 'admin'
  scenarios(
    () => server,
    [
      { name: 'no edit', as, call, body: {}, status: 400 },
      { name: 'an edit of something else', as, call, body: { archived: true }, status: 400, text: 'archived' },
      {
        name: 'all strategies and one of them',
        as,
        call,
        body: { strategies: [], removeStrategy: 'x' },
        status: 400,
        text: 'strategies cannot be combined',
      },
      {
        name: 'half a percent',
        as,
        call,
        body: { strategy: { ...rollout(50), parameters: { rollout: '0.5' } } },
        status: 400,
        text: 'rollout',
      },
      { name: 'an unknown type', as, call, body: { strategy: { name: 'nope' } }, status: 400, text: 'nope' },
      {
        name: 'an unknown segment',
        as,
        call,
        body: { strategy: rollout(5, { segments: [999] }) },
        status: 404,
        text: '999',
      },
      {
        name: 'an unknown strategy',
        as,
        call,
        body: { strategy: { ...rollout(5), id: 'nope' } },
        status: 404,
        text: 'nope',
      },
      {
        name: 'an unknown strategy to take out',
        as,
        call,
        body: { removeStrategy: 'nope' },
        status: 404,
        text: 'nope',
      },
      {
        name: 'an unknown flag',
        as,
        call: `POST ${P}/features/nope/environments/development/impact`,
        body: { enabled: true },
        status: 404,
      },
      {
        name: 'an unknown environment',
        as,
        call: `POST ${P}/features/checkout/environments/nope/impact`,
        body: { enabled: true },
        status: 404,
      },
      {
        name: 'variants of one name',
        as,
        call,
        body: { variants: [variant('a'), variant('a')] },
        status: 400,
        text: 'twice',
      },
    ],
  )
})

describe('evaluations in the sample', () => {
  const looked = async (flag = 'checkout') => (await ask({ enabled: true }, flag)).evaluations
  const frontend = TOKENS.frontend as string
  const send = (call: string, body?: object, as = frontend) => server.call({ as, call, ...(body && { body }) })

  test.each<[string, () => Promise<unknown>, number, number]>([
    ['a list of all flags', () => send('GET /api/frontend?userId=1'), 1, 1],
    ['a list by POST', () => send('POST /api/frontend', { context: { userId: '1' } }), 1, 1],
    [
      'that flag by its name',
      () => send('POST /api/frontend', { toggles: ['checkout'], context: { userId: '1' } }),
      1,
      0,
    ],
    ['the older address', () => send('GET /api/proxy/all?userId=1'), 1, 1],
    ['OpenFeature, all', () => send('POST /ofrep/v1/evaluate/flags', { context: { targetingKey: '1' } }), 1, 1],
    ['OpenFeature, one', () => send('POST /ofrep/v1/evaluate/flags/basket', { context: { targetingKey: '1' } }), 0, 1],
    ['a refused request', () => send('GET /api/frontend?userId=1', undefined, 'default:development.wrong'), 0, 0],
    ['a download of definitions', () => send('GET /api/client/features', undefined, TOKENS.client), 0, 0],
    ['another environment', () => send('GET /api/frontend?userId=1', undefined, TOKENS.production), 0, 0],
  ])('%s', async (_what, act, checkout, basket) => {
    const before = [await looked('checkout'), await looked('basket')]
    await act()
    expect([(await looked('checkout')) - (before[0] ?? 0), (await looked('basket')) - (before[1] ?? 0)]).toEqual([
      checkout,
      basket,
    ])
  })

  test('a token of another project does not evaluate it', async () => {
    await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
    const body = { tokenName: 'shop', type: 'frontend', environment: 'development', projects: ['shop'] }
    const { secret } = await server.admin('POST /api/admin/api-tokens', body)
    const before = [await looked(), (await server.admin(`GET ${SAMPLING}`)).contexts]
    await send('GET /api/frontend?userId=1', undefined, secret)
    expect([await looked(), (await server.admin(`GET ${SAMPLING}`)).contexts]).toEqual([before[0], before[1] + 1])
  })

  test('a context that is too long is left out, and counted', async () => {
    const { leftOut, contexts } = await server.admin(`GET ${SAMPLING}`)
    await send('POST /api/frontend', { context: { userId: 'x'.repeat(9000) } })
    expect(await server.admin(`GET ${SAMPLING}`)).toMatchObject({ contexts, leftOut: leftOut + 1 })
  })
})

describe('switching off again', () => {
  test('deletes all contexts, and a new start begins without any', async () => {
    expect((await server.admin(`GET ${SAMPLING}`)).contexts).toBeGreaterThan(60)
    expect(await server.admin(`PUT ${SAMPLING}`, { enabled: false })).toMatchObject({
      enabled: false,
      contexts: 0,
      bytes: 0,
    })
    await evaluate(3)
    expect(await server.admin(`PUT ${SAMPLING}`, { enabled: true })).toMatchObject({ contexts: 0 })
    await evaluate(3)
    expect(await ask({ enabled: false })).toMatchObject({ evaluations: 3 })
  })

  test('an environment that was removed is not sampled when another one gets its name', async () => {
    const E = '/api/admin/environments'
    for (const sampled of [true, false]) {
      await server.admin(`POST ${E}`, { name: 'short', type: 'test' })
      expect(await server.admin(`GET ${E}/short/traffic-sampling`)).toMatchObject({ enabled: false })
      if (sampled) await server.admin(`PUT ${E}/short/traffic-sampling`, { enabled: true })
      await server.admin(`DELETE ${E}/short`)
    }
  })

  test('no context is in the database or the log', async () => {
    const secret = 'somebody-4711@example.com'
    await server.call({ as: TOKENS.frontend, call: `GET /api/frontend?userId=${encodeURIComponent(secret)}` })
    await ask({ enabled: false })
    await server.server.flush()
    expect(server.logged.join('\n')).not.toContain('somebody-4711')
    const tables = ['events', 'settings', 'client_metrics', 'features', 'environments', 'sampled_environments']
    for (const table of tables) {
      const rows = await server.db.rows(`select * from ${table}`).catch(() => [])
      expect(JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
        'somebody-4711',
      )
    }
  })
})
