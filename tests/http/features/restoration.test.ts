import type { FlagHistory } from '@burgee/protocol/administration/flag-history'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Environments of a flag are brought back to what they were, by ordinary changes. */
const A = '/api/admin'
const F = `${A}/projects/default/features`
const R = `POST ${F}/checkout/history/restoration`
const as = 'admin'
const events = new Map<string, number>()
let server: TestServer

async function act(name: string, call: string, body?: unknown): Promise<void> {
  await server.admin(call, body)
  events.set(name, await server.lastEventId())
}
const at = (name: string) => ({ event: events.get(name) })
const state = async (name = 'made'): Promise<FlagHistory> =>
  (await server.call({ as, call: `GET ${F}/checkout/history?event=${events.get(name)}` })).json() as FlagHistory

beforeAll(async () => {
  server = await startServer()
  const E = `${F}/checkout/environments`
  const rollout = (percent: string) => ({ name: 'flexibleRollout', parameters: { rollout: percent } })
  await act('made', `POST ${F}`, { name: 'checkout' })
  await act('one', `POST ${E}/development/strategies`, { ...rollout('10'), title: 'one' })
  await act('two', `POST ${E}/development/strategies`, { ...rollout('20'), title: 'two', disabled: true })
  await act('varied', `PUT ${E}/development/variants`, [{ name: 'blue', weight: 1000 }])
  await act('on', `POST ${E}/development/on`)
  await act('live', `POST ${E}/production/on`)
  const { environments } = await server.admin(`GET ${F}/checkout`)
  const [first, second] = environments.find((one: { name: string }) => one.name === 'development').strategies
  await server.admin(`DELETE ${E}/development/strategies/${first.id}`)
  await server.admin(`PUT ${E}/development/strategies/${second.id}`, rollout('30'))
  await server.admin(`POST ${E}/development/strategies`, rollout('40'))
  await server.admin(`PUT ${E}/development/variants`, [])
  await act('off', `POST ${E}/production/off`)
  await act('later', `PUT ${F}/checkout`, { description: 'later' })
  await act('elsewhere', `POST ${F}`, { name: 'young' })
})
afterAll(() => server.close())

/** Bodies name events that are known only when the rows are played. */
const withEvents = () => ({
  ...server,
  call: (row: Parameters<TestServer['call']>[0]) => {
    const body = JSON.stringify(row.body ?? {}).replace(/"\{(\w+)\}"/g, (_all, name: string) =>
      String(events.get(name)),
    )
    return server.call(row.body === undefined ? row : { ...row, body: JSON.parse(body) })
  },
})
const row = (name: string, body: object, more: Partial<Scenario>): Scenario => ({
  ...{ name, as, call: R, body, status: 200 },
  ...more,
})
const preview = { call: `${R}/preview` }

describe('bringing a flag back', () => {
  scenarios(withEvents, [
    row('nobody', { event: '{on}' }, { as: '', status: 401 }),
    row('a viewer', { event: '{on}' }, { as: 'viewer', status: 403, has: { name: 'NoAccessError' } }),
    row('a viewer, who only looks', { event: '{on}' }, { ...preview, as: 'viewer', status: 403 }),
    row('no moment', {}, { status: 400, text: 'event' }),
    row('two moments', { event: '{on}', at: '2030-01-01' }, { status: 400, text: 'at' }),
    row('no environment', { event: '{on}', environments: [] }, { status: 400, text: 'environments' }),
    row('an unknown environment', { event: '{on}', environments: ['nope'] }, { status: 400, text: 'nope' }),
    row('an unknown flag', { event: '{on}' }, { call: `POST ${F}/nope/history/restoration`, status: 404 }),
    row('before it was there', { event: '{made}' }, { call: `POST ${F}/young/history/restoration`, status: 409 }),
    row('what was not seen', { event: '{on}', lastEventId: 1 }, { status: 412, text: 'meantime' }),
    row(
      'what it would do, and whom it lets in',
      { event: '{live}' },
      {
        ...preview,
        has: {
          environments: [
            { environment: 'development', opens: 'turns-on', changes: expect.any(Array) },
            {
              environment: 'production',
              opens: 'turns-on',
              changes: [{ action: 'updateEnabled', payload: { enabled: true } }],
            },
          ],
        },
      },
    ),
    row(
      'one environment',
      { event: '{live}', environments: ['development'] },
      {
        events: [
          ...['feature-strategy-add', 'feature-strategy-update', 'feature-strategy-remove'],
          ...['feature-environment-variants-updated', 'feature-environment-enabled'],
        ],
      },
    ),
    row('again: nothing', { event: '{live}', environments: ['development'] }, { events: [] }),
  ])

  test('it is what it was, in its order; nothing else is touched', async () => {
    const { changes, moment, compared } = await state('live')
    const strategies = (one: typeof moment) =>
      one.flag?.environments[0]?.strategies.map(({ id: _own, ...rest }) => ({ ...rest }))
    expect(strategies(compared)).toEqual(strategies(moment))
    expect(changes?.filter(({ part }) => part !== 'strategy')).toEqual([
      { part: 'description', before: null, after: 'later' },
      { part: 'enabled', environment: 'production', before: true, after: false },
    ])
  })

  scenarios(withEvents, [
    row('all environments', { event: '{live}' }, { events: ['feature-environment-enabled'] }),
    row(
      'to when it was off',
      { event: '{made}' },
      {
        events: [
          ...['feature-environment-disabled', 'feature-strategy-remove', 'feature-strategy-remove'],
          'feature-environment-variants-updated',
          ...['feature-environment-disabled', 'feature-strategy-remove'],
        ],
      },
    ),
  ])

  test('what was on without a strategy goes off, as nobody said whom it is for', async () => {
    await server.db.rows("update feature_environments set enabled = 1 where environment = 'development'")
    await act('open', `POST ${F}/checkout/environments/production/on`)
    const last = await server.lastEventId()
    const reply = await server.call({ as, call: R, body: { ...at('open'), environments: ['development'] } })
    expect(reply.json().environments).toEqual([
      {
        ...{ environment: 'development', opens: 'nobody', staysOff: true },
        differences: [{ part: 'enabled', before: true, after: false }],
        changes: [{ feature: 'checkout', action: 'updateEnabled', payload: { enabled: false } }],
      },
    ])
    expect(await server.eventsAfter(last)).toEqual(['feature-environment-disabled'])
  })

  test('an environment that takes changes by change request only refuses it to who may not skip that', async () => {
    await act('shut', `POST ${F}/checkout/environments/production/off`)
    await act('again', `POST ${F}/checkout/environments/production/on`)
    await server.admin(`PUT ${A}/projects/default/environments/production/change-requests/config`, {
      ...{ changeRequestsEnabled: true, requiredApprovals: 1 },
    })
    const body = { ...at('shut'), environments: ['production'] }
    const asked = await server.call({ as: 'editor', call: `${R}/preview`, body })
    expect(asked.statusCode, asked.body).toBe(200)
    const [place] = asked.json().environments
    const last = await server.lastEventId()
    const refused = await server.call({ as: 'editor', call: R, body })
    expect([refused.statusCode, refused.json().permissions]).toEqual([403, ['SKIP_CHANGE_REQUEST']])
    expect(await server.eventsAfter(last)).toEqual([])
    const draft = `POST ${A}/projects/default/environments/production/change-requests`
    const proposed = await server.call({ as: 'editor', call: draft, body: place.changes })
    expect(proposed.statusCode, proposed.body).toBe(200)
  })
})
