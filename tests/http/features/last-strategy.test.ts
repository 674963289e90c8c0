import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * An enabled environment always has an enabled strategy: removing the last enabled strategy disables the environment.
 */

let server: TestServer
let count = 0
/** Creates a new flag for each row. */
let name = ''
const P = '/api/admin/projects/default'
const E = (environment = 'development') => `${P}/features/${name}/environments/${environment}`
const ONE_PERCENT = { name: 'flexibleRollout', parameters: { rollout: '1', stickiness: 'default', groupId: 'g' } }
const OFF = { ...ONE_PERCENT, disabled: true }
const REMOVE = 'feature-strategy-remove'
const UPDATE = 'feature-strategy-update'
const SWITCHED_OFF = 'feature-environment-disabled'
const disable = [{ op: 'replace', path: '/disabled', value: true }]

const admin = (call: string, body?: unknown) => server.admin(call, body)

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  name = `f${count}`
  await admin(`POST ${P}/features`, { name })
})

/** Creates a flag's strategies in order, and then enables the environment. */
async function make(strategies: readonly object[], environment?: string): Promise<string[]> {
  const ids: string[] = []
  for (const strategy of strategies) ids.push((await admin(`POST ${E(environment)}/strategies`, strategy)).id)
  await admin(`POST ${E(environment)}/on`)
  return ids
}

/** Recreates a state that versions before this rule allowed: enabled without an enabled strategy. */
async function leave(strategies: readonly object[]): Promise<string[]> {
  const ids = await make([ONE_PERCENT, ...strategies])
  await server.db.rows('delete from feature_strategies where id = ?', ids[0] ?? '')
  return ids.slice(1)
}

async function seen(environment = 'development') {
  const { environments } = await admin(`GET ${P}/features/${name}`)
  const as = environment === 'production' ? 'production' : 'client'
  const { features } = (await server.call({ as, call: 'GET /api/client/features' })).json()
  const { enabled, strategies } = features.find((one: { name: string }) => one.name === name)
  return {
    isOn: environments.find((one: { name: string }) => one.name === environment).enabled,
    download: { enabled, strategies: strategies.length },
  }
}

interface Row {
  readonly name: string
  readonly strategies: readonly object[]
  /** Calls whose path is below the path of the environment. `{0}` is the id of the first strategy. */
  readonly calls: readonly (readonly [call: string, body?: unknown])[]
  readonly events: readonly string[]
  readonly isOn: boolean
  readonly download: { readonly enabled: boolean; readonly strategies: number }
}

const GONE = { enabled: false, strategies: 0 }
const fill = (call: string, ids: readonly string[]) => {
  const [method, path] = call.split(' ') as [string, string]
  return `${method} ${E()}${path.replace(/\{(\d)\}/g, (_, index) => ids[Number(index)] ?? '')}`
}

describe('removing the last enabled strategy', () => {
  test.each<Row>([
    {
      name: 'the only one is removed',
      strategies: [ONE_PERCENT],
      calls: [['DELETE /strategies/{0}']],
      events: [REMOVE, SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
    {
      name: 'one of two is removed',
      strategies: [ONE_PERCENT, ONE_PERCENT],
      calls: [['DELETE /strategies/{0}']],
      events: [REMOVE],
      isOn: true,
      download: { enabled: true, strategies: 1 },
    },
    {
      name: 'the only enabled one of two is removed',
      strategies: [ONE_PERCENT, OFF],
      calls: [['DELETE /strategies/{0}']],
      events: [REMOVE, SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
    {
      name: 'the disabled one of two is removed',
      strategies: [ONE_PERCENT, OFF],
      calls: [['DELETE /strategies/{1}']],
      events: [REMOVE],
      isOn: true,
      download: { enabled: true, strategies: 1 },
    },
    {
      name: 'the only one is disabled by PUT',
      strategies: [ONE_PERCENT],
      calls: [['PUT /strategies/{0}', OFF]],
      events: [UPDATE, SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
    {
      name: 'the only one is disabled by PATCH',
      strategies: [ONE_PERCENT],
      calls: [['PATCH /strategies/{0}', disable]],
      events: [UPDATE, SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
    {
      name: 'both are disabled, one after the other',
      strategies: [ONE_PERCENT, ONE_PERCENT],
      calls: [
        ['PATCH /strategies/{1}', disable],
        ['PUT /strategies/{0}', { disabled: true }],
      ],
      events: [UPDATE, UPDATE, SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
    {
      name: 'it is removed where the flag is off',
      strategies: [ONE_PERCENT],
      calls: [['POST /off'], ['DELETE /strategies/{0}']],
      events: [SWITCHED_OFF, REMOVE],
      isOn: false,
      download: GONE,
    },
    {
      name: 'removed, then another is added: it stays off until it is turned on',
      strategies: [ONE_PERCENT],
      calls: [['DELETE /strategies/{0}'], ['POST /strategies', ONE_PERCENT]],
      events: [REMOVE, SWITCHED_OFF, 'feature-strategy-add'],
      isOn: false,
      download: { enabled: false, strategies: 1 },
    },
    {
      name: 'only its title and order change',
      strategies: [ONE_PERCENT],
      calls: [
        ['PUT /strategies/{0}', { ...ONE_PERCENT, title: 'new' }],
        ['PATCH /strategies/{0}', [{ op: 'replace', path: '/sortOrder', value: 7 }]],
      ],
      events: [UPDATE, UPDATE],
      isOn: true,
      download: { enabled: true, strategies: 1 },
    },
  ])('$name', async ({ strategies, calls, events, isOn, download }) => {
    const ids = await make(strategies)
    const last = await server.lastEventId()
    for (const [call, body] of calls) await admin(fill(call, ids), body)
    expect(await server.eventsAfter(last)).toEqual(events)
    expect(await seen()).toEqual({ isOn, download })
  })

  test('writes an event with what was switched off, and the reason, in the same transaction', async () => {
    const [id] = await make([ONE_PERCENT], 'production')
    await make([ONE_PERCENT])
    await server.call({ as: 'editor', call: `DELETE ${E('production')}/strategies/${id}` })
    const { events } = await admin(`GET /api/admin/events/${name}?limit=2`)
    expect(events.map((event: { type: string }) => event.type)).toEqual([SWITCHED_OFF, REMOVE])
    expect(events[0]).toMatchObject({
      project: 'default',
      environment: 'production',
      featureName: name,
      createdBy: 'editor',
      data: { enabled: false },
      preData: { enabled: true },
      createdAt: events[1].createdAt,
    })
    expect(await seen('production')).toEqual({ isOn: false, download: GONE })
    expect((await seen()).isOn).toBe(true)
  })

  test('both of two removed at once: the last one counts, whichever it is', async () => {
    const ids = await make([ONE_PERCENT, ONE_PERCENT, ONE_PERCENT])
    const last = await server.lastEventId()
    await Promise.all(ids.map((id) => admin(`DELETE ${E()}/strategies/${id}`)))
    expect(await server.eventsAfter(last)).toEqual([REMOVE, REMOVE, REMOVE, SWITCHED_OFF])
    expect(await seen()).toEqual({ isOn: false, download: GONE })
  })
})

describe('flags of older databases', () => {
  const OPEN = { enabled: true, strategies: 0 }
  test.each<Row>([
    {
      name: 'an unrelated edit leaves it as it is',
      strategies: [],
      calls: [['PUT /variants', [{ name: 'v', weight: 1 }]]],
      events: ['feature-environment-variants-updated'],
      isOn: true,
      download: OPEN,
    },
    {
      name: 'a title of a disabled strategy too',
      strategies: [OFF],
      calls: [['PUT /strategies/{0}', { ...OFF, title: 't' }]],
      events: [UPDATE],
      isOn: true,
      download: GONE,
    },
    {
      name: 'removing the disabled strategy that held it off for SDKs opens nothing',
      strategies: [OFF],
      calls: [['DELETE /strategies/{0}']],
      events: [REMOVE, SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
    {
      name: 'a disabled strategy is added',
      strategies: [],
      calls: [['POST /strategies', OFF]],
      events: ['feature-strategy-add', SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
    {
      name: 'an enabled one is added',
      strategies: [],
      calls: [['POST /strategies', ONE_PERCENT]],
      events: ['feature-strategy-add'],
      isOn: true,
      download: { enabled: true, strategies: 1 },
    },
    {
      name: 'a strategy is enabled',
      strategies: [OFF, OFF],
      calls: [['PUT /strategies/{1}', { disabled: false }]],
      events: [UPDATE],
      isOn: true,
      download: { enabled: true, strategies: 1 },
    },
    {
      name: 'a flag without strategies gets one when it is turned on',
      strategies: [OFF],
      calls: [['POST /on']],
      events: ['feature-strategy-add'],
      isOn: true,
      download: { enabled: true, strategies: 1 },
    },
    {
      name: 'turned off',
      strategies: [],
      calls: [['POST /off']],
      events: [SWITCHED_OFF],
      isOn: false,
      download: GONE,
    },
  ])('$name', async ({ strategies, calls, events, isOn, download }) => {
    const ids = await leave(strategies)
    await admin(`PUT ${P}/features/${name}`, { description: 'so that downloads are read anew' })
    expect((await seen()).download).toEqual(strategies.length === 0 ? OPEN : GONE)
    const last = await server.lastEventId()
    for (const [call, body] of calls) await admin(fill(call, ids), body)
    expect(await server.eventsAfter(last)).toEqual(events)
    expect(await seen()).toEqual({ isOn, download })
  })
})

describe('turning on where strategies are disabled', () => {
  const ADD = 'feature-strategy-add'
  const ON = 'feature-environment-enabled'
  const path = (query: string) => `POST ${E()}/on${query}`
  const bulk = (query: string) => `POST ${P}/bulk_features/environments/development/on${query}`
  const YES = '?shouldActivateDisabledStrategies=true'
  const calls = [
    { way: 'one', send: (query: string) => admin(path(query)) },
    { way: 'bulk', send: (query: string) => admin(bulk(query), { features: [name] }) },
  ]
  test.each(
    calls.flatMap(({ way, send }) =>
      [
        { query: '', strategies: [OFF], events: [ADD, ON], disabled: [true, false] },
        {
          query: '?shouldActivateDisabledStrategies=false',
          strategies: [OFF],
          events: [ADD, ON],
          disabled: [true, false],
        },
        { query: YES, strategies: [OFF], events: [UPDATE, ON], disabled: [false] },
        { query: YES, strategies: [OFF, OFF], events: [UPDATE, UPDATE, ON], disabled: [false, false] },
        { query: YES, strategies: [ONE_PERCENT, OFF], events: [UPDATE, ON], disabled: [false, false] },
        { query: '', strategies: [ONE_PERCENT, OFF], events: [ON], disabled: [false, true] },
        { query: YES, strategies: [], events: [ADD, ON], disabled: [false] },
      ].map((row) => ({ title: `${way} ${row.query}: ${row.strategies.length} → ${row.events}`, send, ...row })),
    ),
  )('$title', async ({ send, query, strategies, events, disabled }) => {
    for (const strategy of strategies) await admin(`POST ${E()}/strategies`, strategy)
    const last = await server.lastEventId()
    await send(query)
    expect(await server.eventsAfter(last)).toEqual(events)
    const stored = await admin(`GET ${E()}/strategies`)
    expect(stored.map((one: { disabled: boolean }) => one.disabled)).toEqual(disabled)
    await send(query)
    expect(await server.eventsAfter(last), 'again is no change').toEqual(events)
    expect((await seen()).isOn).toBe(true)
  })

  test.each([
    ['?shouldActivateDisabledStrategies=perhaps', 'admin', 400, 'shouldActivateDisabledStrategies'],
    [YES, 'viewer', 403, 'UPDATE_FEATURE_ENVIRONMENT'],
  ])('%s as %s → %i', async (query, as, status, text) => {
    await admin(`POST ${E()}/strategies`, OFF)
    const last = await server.lastEventId()
    for (const call of [{ call: path(query) }, { call: bulk(query), body: { features: [name] } }]) {
      const reply = await server.call({ as, ...call })
      expect(reply.statusCode, reply.body).toBe(status)
      expect(reply.body).toContain(text)
    }
    expect(await server.eventsAfter(last)).toEqual([])
  })
})
