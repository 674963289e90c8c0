import type { FlagHistory } from '@burgee/protocol/administration/flag-history'
import type { PlaygroundResponse } from '@burgee/protocol/playground'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Access to past states and gaps in the history. history-walk.test.ts checks their accuracy. */
const DAY = 86_400_000
const START = Date.parse('2030-01-01T00:00:00Z')
const A = '/api/admin'
const F = `${A}/projects/default/features`
let now = START
let server: TestServer
const as = 'admin'
/** Event ids by the names used in the rows below. */
const events = new Map<string, number>()
const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name: string) => String(events.get(name)))

async function act(name: string, call: string, body?: unknown): Promise<void> {
  now += 1000
  await server.admin(call, body)
  events.set(name, await server.lastEventId())
}

beforeAll(async () => {
  server = await startServer({ eventRetentionDays: 30 }, () => now)
  await act('made', `POST ${F}`, { name: 'checkout', description: 'old' })
  await act('described', `PUT ${F}/checkout`, { description: 'new' })
  await act('strategy', `POST ${F}/checkout/environments/development/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '25' },
  })
  await act('on', `POST ${F}/checkout/environments/development/on`)
  await act('twin', `POST ${F}`, { name: 'gone' })
  await act('archived', `DELETE ${F}/gone`)
  await act('deleted', `DELETE ${A}/archive/gone`)
  await act('secret', `POST ${A}/projects`, { id: 'secret', name: 'Secret', mode: 'private' })
  await act('hidden', `POST ${A}/projects/secret/features`, { name: 'known-to-few' })
  await act('shown', `POST ${A}/projects/secret/features/known-to-few/changeProject`, { newProjectId: 'default' })
})
afterAll(() => server.close())

const asked = (name: string, query: string, more: Partial<Scenario> = {}): Scenario => ({
  name,
  as,
  call: `GET ${F}/checkout/history${query}`,
  status: 200,
  ...more,
})

describe('a flag as it was', () => {
  const withEvents = () => ({
    ...server,
    call: (row: Parameters<TestServer['call']>[0]) => server.call({ ...row, call: filled(row.call) }),
  })
  scenarios(withEvents, [
    asked('nobody', '?event={made}', { as: '', status: 401 }),
    asked('a client token', '?event={made}', { as: 'client', status: 403 }),
    asked('a viewer', '?event={made}', { as: 'viewer', has: { moment: { flag: { description: 'old' } } } }),
    asked('right after it was made', '?event={made}', {
      has: { moment: { isKnown: true, eventId: expect.any(Number), flag: { name: 'checkout', description: 'old' } } },
    }),
    asked('before it was made, by time', '?at=2029-12-31T00:00:00Z', {
      has: { moment: { isKnown: true, flag: null }, changes: [{ part: 'existence', before: false, after: true }] },
    }),
    asked('at a time', `?at=${new Date(START + 2500).toISOString()}`, {
      has: { moment: { flag: { description: 'new' } } },
    }),
    asked('now, where nothing is asked', '', { has: { moment: { flag: { description: 'new' } }, changes: [] } }),
    asked('what has changed since', '?event={described}', {
      has: {
        changes: [
          { part: 'enabled', environment: 'development', before: false, after: true },
          { part: 'strategy', environment: 'development', before: null, after: { parameters: { rollout: '25' } } },
        ],
      },
    }),
    asked('what was different at another event', '?event={made}&toEvent={described}', {
      has: { changes: [{ part: 'description', before: 'old', after: 'new' }] },
    }),
    asked('both an event and a time', '?event={made}&at=2030-01-01', { status: 400, text: 'at' }),
    asked('both to compare with', '?event=1&toEvent=1&toAt=2030-01-01', { status: 400, text: 'toAt' }),
    asked('no time', '?at=yesterday', { status: 400, text: '\\"at\\"' }),
    asked('no event', '?event=0', { status: 400, text: 'event' }),
    asked('an unknown flag', '', { call: `GET ${F}/nope/history?event=1`, status: 404 }),
    asked('another project', '', { call: `GET ${A}/projects/secret/features/checkout/history?event=1`, status: 404 }),
    asked('a flag that is gone, before', '', {
      call: `GET ${F}/gone/history?event={archived}`,
      has: { moment: { flag: { name: 'gone', archivedAt: expect.any(String) } }, compared: { flag: null } },
    }),
    asked('a flag that is gone, when it was there no more', '', {
      call: `GET ${F}/gone/history?event={deleted}`,
      status: 404,
    }),
    asked('what was private, for who may see it', '', {
      call: `GET ${F}/known-to-few/history?event={hidden}`,
      has: { moment: { flag: { project: 'secret' } } },
    }),
    asked('what was private, for others', '', {
      as: 'viewer',
      call: `GET ${F}/known-to-few/history?event={hidden}`,
      has: { moment: { isKnown: false, flag: null, eventId: null }, changes: null },
    }),
    asked('a private project, for others', '', {
      as: 'viewer',
      call: `GET ${A}/projects/secret/features/known-to-few/history?event={hidden}`,
      status: 404,
    }),
  ])
})

describe('the playground at a point in time', () => {
  const body = (moment: object) => ({
    environments: ['development'],
    projects: '*',
    context: { appName: 'shop', userId: 'anna' },
    ...moment,
  })
  const played = async (as: string, moment: object) => {
    const reply = await server.call({ as, call: `POST ${A}/playground/advanced`, body: body(moment) })
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json() as PlaygroundResponse
  }
  const at = (name: string) => ({ event: events.get(name) })
  const namesOf = ({ features }: PlaygroundResponse) => features.map(({ name }) => name)

  test('has the flags of that time in their projects of that time, for those who may see them', async () => {
    expect(namesOf(await played('admin', at('made')))).toEqual(['checkout'])
    expect(namesOf(await played('admin', at('twin')))).toEqual(['checkout', 'gone'])
    expect(namesOf(await played('admin', at('archived')))).toEqual(['checkout'])
    expect(namesOf(await played('admin', { at: new Date(START + 5500).toISOString() }))).toEqual(['checkout', 'gone'])
    expect(namesOf(await played('admin', {}))).toEqual(['checkout', 'known-to-few'])
    expect(namesOf(await played('admin', at('hidden')))).toEqual(['checkout', 'known-to-few'])
    expect(namesOf(await played('viewer', at('hidden')))).toEqual(['checkout'])
    expect(namesOf(await played('viewer', at('shown')))).toEqual(['checkout', 'known-to-few'])
  })

  test('decides by what was set then, and writes nothing', async () => {
    const last = await server.lastEventId()
    const of = async (name: string) => {
      const [flag] = (await played('viewer', at(name))).features
      const [result] = flag?.environments.development ?? []
      return { on: result?.isEnabledInCurrentEnvironment, strategies: result?.strategies.data.length }
    }
    expect(await of('described')).toEqual({ on: false, strategies: 0 })
    expect(await of('strategy')).toEqual({ on: false, strategies: 1 })
    expect(await of('on')).toEqual({ on: true, strategies: 1 })
    expect(await server.lastEventId()).toBe(last)
  })

  scenarios(
    () => server,
    [
      ['both an event and a time', { event: 1, at: '2030-01-01' }, 'at'],
      ['no time', { at: 'yesterday' }, '\\"at\\"'],
      ['no event', { event: 0 }, 'event'],
    ].map(([name, moment, text]) => ({
      name: `refuses ${name}`,
      as,
      call: `POST ${A}/playground/advanced`,
      body: body(moment as object),
      status: 400,
      text: text as string,
      events: [],
    })),
  )
})

describe('unknown history', () => {
  const at = async (path: string): Promise<FlagHistory> =>
    (await server.call({ as, call: `GET ${filled(path)}` })).json() as FlagHistory

  test('something changed that the log does not tell: it is known from the event after it', async () => {
    await act('quiet', `POST ${F}`, { name: 'quiet' })
    await server.db.rows("update features set description = 'by hand' where name = 'quiet'")
    await act('tagged', `POST ${A}/features/quiet/tags`, { type: 'simple', value: 'red' })
    const known = { eventId: events.get('tagged'), why: 'untold' }
    expect((await at(`${F}/quiet/history?event={quiet}`)).moment).toMatchObject({ isKnown: false, knownFrom: known })
    expect((await at(`${F}/quiet/history?event={tagged}`)).moment).toMatchObject({
      isKnown: true,
      flag: { description: 'by hand' },
    })
  })

  test('starts after an event without enough data', async () => {
    await act('before', `POST ${A}/projects/default/features/checkout/environments/production/on`)
    await act('removed', `DELETE ${A}/projects/default/environments/production`)
    await server.db.rows('update events set undo = null where id = ?', events.get('removed') ?? 0)
    expect((await at(`${F}/checkout/history?event={before}`)).moment.knownFrom).toMatchObject({
      eventId: events.get('removed'),
      why: 'untold',
    })
    expect((await at(`${F}/checkout/history?event={removed}`)).moment.isKnown).toBe(true)
    await act('back', `POST ${A}/projects/default/environments`, { environment: 'production' })
  })

  test('starts at the import for an imported flag', async () => {
    await act('imported', `POST ${F}`, { name: 'brought' })
    await server.db.rows(
      "update events set type = 'instance-imported', feature_name = null where id = ?",
      events.get('imported') ?? 0,
    )
    await act('later', `PUT ${F}/brought`, { description: 'later' })
    const { moment } = await at(`${F}/brought/history?at=2030-01-01T00:00:00Z`)
    expect(moment).toMatchObject({ isKnown: false, knownFrom: { eventId: events.get('imported'), why: 'imported' } })
    expect((await at(`${F}/brought/history?event={imported}`)).moment.flag).toMatchObject({ description: null })
  })

  test('older events were removed: it is known from the first that is left', async () => {
    now += 31 * DAY
    for (let count = 0; count < 101; count += 1)
      await server.admin(`POST ${F}/checkout/environments/development/${count % 2 ? 'on' : 'off'}`)
    await server.server.removeOld()
    const { moment, changes } = await at(`${F}/checkout/history?event={on}`)
    expect([moment.isKnown, moment.flag, moment.knownFrom?.why, changes]).toEqual([false, null, 'trimmed', null])
    const first = moment.knownFrom?.eventId ?? 0
    events.set('first', first)
    expect(first).toBeGreaterThan(events.get('on') ?? 0)
    expect((await at(`${F}/checkout/history?event={first}`)).moment.isKnown).toBe(true)
  })

  test('the playground names what it does not know, and shows what it knows', async () => {
    const body = { environments: ['development'], projects: ['default'], context: { appName: 'shop' } }
    const play = async (name: string) => {
      const moment = { event: events.get(name) }
      const reply = await server.call({ as, call: `POST ${A}/playground/advanced`, body: { ...body, ...moment } })
      return reply.json() as PlaygroundResponse
    }
    const early = await play('on')
    expect(early.features.map(({ name }) => name)).not.toContain('checkout')
    const told = early.warnings?.unknownFlags?.find(({ name }) => name === 'checkout')
    expect(told?.knownFrom).toMatchObject({ why: 'trimmed', eventId: events.get('first') })
    const late = await play('first')
    expect(late.features.map(({ name }) => name)).toContain('checkout')
    expect(late.warnings).toBeUndefined()
  })
})
