import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Flags that can be removed, the reasons for it, and snoozing such flags. */
let server: TestServer
const START = Date.parse('2030-01-01T00:00:00Z')
const DAY = 86_400_000
let now = START
const P = '/api/admin/projects/default'
const F = `${P}/features`
const STALE = 'GET /api/admin/stale-flags'
const SNOOZE = `POST ${P}/snooze`
const OPEN = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'x' } }
const iso = (time: number) => new Date(time).toISOString()

beforeAll(async () => {
  server = await startServer({}, () => now)
  await server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  await server.admin('POST /api/admin/projects/other/features', { name: 'elsewhere' })
  const flags = ['open', 'some', 'half', 'split', 'off', 'child', 'parent', 'touched', 'gone']
  for (const name of flags) await server.admin(`POST ${F}`, { name, type: 'experiment' })
  await server.admin(`POST ${F}`, { name: 'switch', type: 'kill-switch' })
  const variants = ['a', 'b'].map((name) => ({ name, weight: 500, weightType: 'variable', stickiness: 'default' }))
  const strategies = {
    open: [OPEN],
    some: [{ ...OPEN, constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }] }],
    half: [{ ...OPEN, parameters: { ...OPEN.parameters, rollout: '50' } }],
    split: [{ ...OPEN, variants }],
    off: [OPEN],
    child: [OPEN],
    parent: [{ ...OPEN, constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }] }],
    touched: [OPEN],
    gone: [OPEN],
    switch: [OPEN],
  }
  for (const [name, all] of Object.entries(strategies)) {
    for (const strategy of all) await server.admin(`POST ${F}/${name}/environments/production/strategies`, strategy)
    if (name !== 'off') await server.admin(`POST ${F}/${name}/environments/production/on`)
  }
  await server.admin(`POST ${F}/child/dependencies`, { feature: 'parent' })
  await server.admin(`DELETE ${F}/gone`)
})
afterAll(() => server.close())

/** Renews the sessions of editor and viewer, which last an hour. */
async function logIn(): Promise<void> {
  for (const name of ['editor', 'viewer']) {
    const row = await server.db.row('select id from users where username = ?', name)
    await addSession(server.db, name, Number(row?.id), now)
  }
}

/** Reports usage of all flags now, so that none is stale for lack of requests. */
async function ask(): Promise<void> {
  const names = ['open', 'some', 'half', 'split', 'off', 'child', 'parent', 'touched', 'switch', 'elsewhere']
  const toggles = Object.fromEntries(names.map((name) => [name, { yes: 1, no: 0 }]))
  const bucket = { start: iso(now), stop: iso(now), toggles }
  await server.call({ as: 'production', call: 'POST /api/client/metrics', body: { appName: 'app', bucket } })
  await server.server.flush()
}

async function found(query = '') {
  await logIn()
  const { flags, ...counts } = (await server.call({ as: 'viewer', call: `${STALE}${query}` })).json()
  const kinds = flags.map((one: { feature: { name: string }; reasons: { kind: string }[] }) => [
    one.feature.name,
    one.reasons.map(({ kind }) => kind).join(' '),
  ])
  return { ...counts, flags: Object.fromEntries(kinds) }
}

describe('cleanup candidates', () => {
  test('do not exist at first', async () => {
    await ask()
    expect(await found()).toEqual({ flags: {}, total: 0, snoozed: 0 })
  })

  test('after 31 days include unchanged flags that are on for everyone in production', async () => {
    now += 20 * DAY
    const [{ id }] = (await server.admin(`GET ${F}/touched/environments/production/strategies`)) as [{ id: string }]
    await server.admin(`PUT ${F}/touched/environments/production/strategies/${id}`, { ...OPEN, title: 'again' })
    now += 11 * DAY
    await ask()
    expect(await found()).toEqual({ flags: { open: 'open' }, total: 1, snoozed: 0 })
    const { flags } = (await server.call({ as: 'viewer', call: STALE })).json()
    expect(flags[0]).toMatchObject({
      feature: { name: 'open', project: 'default' },
      reasons: [{ kind: 'open', since: iso(START), environments: ['production'] }],
      snooze: null,
    })
  })

  test('then include flags marked stale, beyond their lifetime, or without requests', async () => {
    await server.admin(`PATCH ${F}/half`, [{ op: 'replace', path: '/stale', value: true }])
    expect((await found()).flags).toEqual({ open: 'open', half: 'marked' })
    now += 31 * DAY
    const all = await found()
    expect(all.total).toBe(10)
    expect(all.flags).toMatchObject({
      open: 'overdue open unseen',
      half: 'marked overdue unseen',
      touched: 'overdue open unseen',
      off: 'overdue unseen',
      switch: 'unseen',
      elsewhere: 'overdue unseen',
    })
    expect(all.flags).not.toHaveProperty('gone')
    expect(await found('?project=other')).toEqual({ flags: { elsewhere: 'overdue unseen' }, total: 1, snoozed: 0 })
    expect(Object.keys((await found('?reason=open')).flags).sort()).toEqual(['open', 'touched'])
    expect((await server.call({ as: 'viewer', call: `${STALE}/count?project=default` })).json()).toEqual({
      total: 9,
      snoozed: 0,
    })
  })

  test('come in pages, those with the most reasons first', async () => {
    const page = (await server.call({ as: 'viewer', call: `${STALE}?limit=3&offset=0` })).json()
    expect(page.flags.map((one: { reasons: unknown[] }) => one.reasons.length)).toEqual([3, 3, 3])
    expect(page.total).toBe(10)
  })

  scenarios(
    () => server,
    [
      { name: 'anonymous', call: STALE, status: 401 },
      { name: 'for another reason', as: 'viewer', call: `${STALE}?reason=old`, status: 400, text: 'reason' },
      { name: 'of an unknown project', as: 'viewer', call: `${STALE}?project=none`, status: 200, has: { total: 0 } },
    ],
  )
})

describe('snoozing', () => {
  const month = () => iso(now + 30 * DAY)
  beforeAll(logIn)
  test.each([
    ['a time that is over', () => iso(now - 1)],
    ['more than a year', () => iso(now + 400 * DAY)],
    ['no time', () => 'soon'],
  ])('fails until %s', async (_what, until) => {
    const reply = await server.call({ as: 'editor', call: SNOOZE, body: { features: ['open'], until: until() } })
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('"until"')])
  })

  scenarios(
    () => server,
    [
      { name: 'by a viewer', as: 'viewer', call: SNOOZE, body: { features: ['open'], until: null }, status: 403 },
      { name: 'of no flag', as: 'editor', call: SNOOZE, body: { features: [], until: null }, status: 400 },
      { name: 'of an unknown flag', as: 'editor', call: SNOOZE, body: { features: ['x'], until: null }, status: 404 },
      {
        name: 'of an archived flag',
        as: 'editor',
        call: SNOOZE,
        body: { features: ['gone'], until: null },
        status: 404,
      },
      {
        name: 'of another project',
        as: 'editor',
        call: SNOOZE,
        body: { features: ['elsewhere'], until: null },
        status: 404,
        events: [],
      },
      {
        name: 'undone without a snooze',
        as: 'editor',
        call: SNOOZE,
        body: { features: ['open'], until: null },
        status: 200,
        empty: true,
        events: [],
      },
    ],
  )

  test('removes flags from the list until then; repeating it writes no event', async () => {
    const last = await server.lastEventId()
    const until = month()
    const body = { features: ['open', 'half'], until }
    for (let times = 0; times < 2; times++) await server.call({ as: 'editor', call: SNOOZE, body })
    expect(await server.eventsAfter(last)).toEqual(['feature-snoozed', 'feature-snoozed'])
    const list = await found('?project=default')
    expect([list.total, list.snoozed, list.flags.open]).toEqual([7, 2, undefined])
    const put = (await server.call({ as: 'viewer', call: `${STALE}?snoozed=true` })).json()
    expect(put.flags.map((one: { snooze: object }) => one.snooze)).toEqual(
      Array.from({ length: 2 }, () => ({ until, createdBy: 'editor' })),
    )
    now += 31 * DAY
    expect((await found('?project=default')).total).toBe(9)
  })

  test('can be taken back, and goes with a flag that is deleted', async () => {
    await logIn()
    await server.call({ as: 'editor', call: SNOOZE, body: { features: ['open', 'off'], until: month() } })
    const last = await server.lastEventId()
    await server.call({ as: 'editor', call: SNOOZE, body: { features: ['open'], until: null } })
    expect(await server.eventsAfter(last)).toEqual(['feature-unsnoozed'])
    expect(Object.keys((await found('?snoozed=true')).flags)).toEqual(['off'])
    await server.admin(`DELETE ${F}/off`)
    await server.admin('DELETE /api/admin/archive/off')
    expect(await server.db.rows("select * from feature_snoozes where feature_name = 'off'")).toEqual([])
  })
})

test('the count excludes deleted flags, even though it is cached for a minute', async () => {
  const count = async () => (await server.call({ as: 'viewer', call: `${STALE}/count` })).json().total
  const { flags } = (await server.call({ as: 'viewer', call: `${STALE}?limit=1` })).json()
  const [{ feature }] = flags
  const before = await count()
  await server.admin(`DELETE /api/admin/projects/${feature.project}/features/${feature.name}`)
  expect(await count()).toBe(before - 1)
})
