import type { FlagHistory } from '@burgee/protocol/administration/flag-history'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Restoring the environments of a flag to a past state by ordinary changes. */
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

/** Replaces placeholders in bodies with event ids, which are known only when the rows run. */
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
  name,
  as,
  call: R,
  body,
  status: 200,
  ...more,
})
const preview = { call: `${R}/preview` }

describe('restoring a flag', () => {
  scenarios(withEvents, [
    row('nobody', { event: '{on}' }, { as: '', status: 401 }),
    row('a viewer', { event: '{on}' }, { as: 'viewer', status: 403, has: { name: 'NoAccessError' } }),
    row('a viewer, who only looks', { event: '{on}' }, { ...preview, as: 'viewer', status: 403 }),
    row('no moment', {}, { status: 400, text: 'event' }),
    row('two moments', { event: '{on}', at: '2030-01-01' }, { status: 400, text: 'at' }),
    row('no details', { event: '{on}', details: [] }, { status: 400, text: 'details' }),
    row('an unknown detail', { event: '{on}', details: ['project'] }, { status: 400, text: 'details' }),
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

  test('restores the state and its order, and changes nothing else', async () => {
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
    row('all of it', { event: '{live}' }, { events: ['feature-metadata-updated', 'feature-environment-enabled'] }),
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

  test('turns an environment off that was on without a strategy', async () => {
    await server.db.rows("update feature_environments set enabled = 1 where environment = 'development'")
    await act('open', `POST ${F}/checkout/environments/production/on`)
    const last = await server.lastEventId()
    const reply = await server.call({ as, call: R, body: { ...at('open'), environments: ['development'] } })
    expect(reply.json().environments).toEqual([
      {
        environment: 'development',
        opens: 'nobody',
        staysOff: true,
        differences: [{ part: 'enabled', before: true, after: false }],
        changes: [{ feature: 'checkout', action: 'updateEnabled', payload: { enabled: false } }],
      },
    ])
    expect(await server.eventsAfter(last)).toEqual(['feature-environment-disabled'])
  })

  test('needs a change request in a guarded environment, unless the actor may skip it', async () => {
    await act('shut', `POST ${F}/checkout/environments/production/off`)
    await act('again', `POST ${F}/checkout/environments/production/on`)
    await server.admin(`PUT ${A}/projects/default/environments/production/change-requests/config`, {
      changeRequestsEnabled: true,
      requiredApprovals: 1,
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

describe("restoring the flag's own properties", () => {
  const G = `${F}/labelled`
  const L = `${G}/history/restoration`
  let links: { id: string; url: string }[] = []

  beforeAll(async () => {
    const link = (url: string, title: string) => server.admin(`POST ${G}/link`, { url, title })
    const tag = (value: string) => server.admin(`POST ${A}/features/labelled/tags`, { type: 'simple', value })
    await server.admin(`POST ${F}`, { name: 'labelled', description: 'first', impressionData: true })
    await tag('kept')
    await tag('lost')
    await link('https://example.com/kept', 'kept')
    await link('https://example.com/other', 'was')
    await link('https://example.com/lost', 'lost')
    await act('labelled', `POST ${G}/environments/development/on`)
    links = (await server.admin(`GET ${G}`)).links
    await server.admin(`PUT ${G}`, { description: 'second', type: 'kill-switch', impressionData: false })
    await server.admin(`DELETE ${A}/features/labelled/tags/simple/lost`)
    await tag('new')
    await server.admin(`DELETE ${G}/link/${links[2]?.id}`)
    await server.admin(`PUT ${G}/link/${links[1]?.id}`, { url: 'https://example.com/other', title: 'is' })
    await link('https://example.com/new', 'new')
    await server.admin(`POST ${G}/environments/development/off`)
  })

  scenarios(withEvents, [
    row(
      'what it would do',
      { event: '{labelled}', details: ['links', 'type'] },
      {
        call: `POST ${L}/preview`,
        has: {
          details: [
            { part: 'type', before: 'kill-switch', after: 'release' },
            { part: 'links', before: expect.any(Array), after: expect.any(Array) },
          ],
          environments: [],
        },
      },
    ),
    row(
      'a viewer',
      { event: '{labelled}', details: ['type'] },
      { call: `POST ${L}`, as: 'viewer', status: 403, events: [] },
    ),
    row(
      'one detail',
      { event: '{labelled}', details: ['type'] },
      { call: `POST ${L}`, events: ['feature-metadata-updated'] },
    ),
    row(
      'the others',
      { event: '{labelled}', details: ['description', 'impressionData', 'tags', 'links'] },
      {
        call: `POST ${L}`,
        events: [
          ...['feature-metadata-updated', 'feature-untagged', 'feature-tagged'],
          ...['feature-link-removed', 'feature-link-updated', 'feature-link-added'],
        ],
      },
    ),
    row(
      'again: nothing, though a link has come back under another id',
      { event: '{labelled}', details: ['description', 'type', 'impressionData', 'tags', 'links'] },
      { call: `POST ${L}`, events: [], has: { details: [] } },
    ),
  ])

  test('brings the properties back, and the flag stays off', async () => {
    const flag = await server.admin(`GET ${G}`)
    expect(flag).toMatchObject({ description: 'first', type: 'release', impressionData: true })
    expect(flag.tags.map(({ value }: { value: string }) => value).toSorted()).toEqual(['kept', 'lost'])
    expect(flag.links.map(({ title }: { title: string }) => title).toSorted()).toEqual(['kept', 'lost', 'was'])
    expect(flag.environments.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([false, false])
  })
})
