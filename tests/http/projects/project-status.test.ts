import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Health of projects and flags, and their creators. */
let server: TestServer
const START = Date.parse('2030-01-01T00:00:00Z')
const DAY = 86_400_000
let now = START
const A = '/api/admin'
const P = `${A}/projects`
const F = `${P}/default/features`
const as = 'viewer'
const EDITOR = { id: expect.any(Number), name: 'editor' }
const TOKEN = { id: -42, name: 'admin' }

async function ask(token: string, name: string): Promise<void> {
  const toggles = { [name]: { yes: 1, no: 0 } }
  const bucket = { start: new Date(now - 1000).toISOString(), stop: new Date(now).toISOString(), toggles }
  await server.call({ as: token, call: 'POST /api/client/metrics', body: { appName: 'app', bucket } })
  await server.server.flush()
}

beforeAll(async () => {
  server = await startServer({}, () => now)
  await server.call({ as: 'editor', call: `POST ${F}`, body: { name: 'of-editor' } })
  for (const name of ['asked', 'live', 'done', 'gone', 'fresh']) await server.admin(`POST ${F}`, { name })
  now += 2 * DAY
  await ask('client', 'asked')
  await ask('client', 'live')
  await server.admin(`POST ${F}/live/environments/production/on`)
  now += DAY
  await ask('production', 'live')
  await server.admin(`POST ${F}/done/lifecycle/complete`, { status: 'discarded' })
  await server.admin(`DELETE ${F}/gone`)
  for (const name of ['editor', 'viewer']) {
    const user = await server.db.row('select id from users where username = ?', name)
    await addSession(server.db, name, Number(user?.id), now)
  }
})
afterAll(() => server.close())

const namesOf = (body: { features: { name: string }[] }) => body.features.map(({ name }) => name).sort()
const search = async (query: string) =>
  namesOf((await server.call({ as, call: `GET ${A}/search/features?${query}` })).json())

describe('the stage of a flag', () => {
  const stage = (name: string) => ({ as, call: `GET ${F}/${name}/overview`, status: 200 })
  scenarios(() => server, [
    { name: 'made', ...stage('fresh'), has: { lifecycle: { stage: 'initial', enteredStageAt: iso(0) } } },
    { name: 'asked for', ...stage('asked'), has: { lifecycle: { stage: 'pre-live', enteredStageAt: iso(2) } } },
    { name: 'live', ...stage('live'), has: { lifecycle: { stage: 'live', enteredStageAt: iso(3) } } },
    { name: 'done', ...stage('done'), has: { lifecycle: { stage: 'completed', status: 'discarded' } } },
    { name: 'archived', ...stage('gone'), has: { lifecycle: { stage: 'archived', enteredStageAt: iso(3) } } },
    {
      name: 'counted',
      as,
      call: `GET ${A}/lifecycle/count`,
      status: 200,
      has: { initial: 2, preLive: 1, live: 1, completed: 1, archived: 1 },
    },
    { name: 'counted, anonymous', call: `GET ${A}/lifecycle/count`, status: 401 },
  ] satisfies Scenario[])

  test('can be searched, even if only usage changes it', async () => {
    expect(await search('lifecycle=IS:live')).toEqual(['live'])
    expect(await search('lifecycle=IS_ANY_OF:initial,pre-live')).toEqual(['asked', 'fresh', 'of-editor'])
    expect(await search('lifecycle=IS:pre-live&archived=IS:true')).toEqual([])
    await ask('client', 'fresh')
    expect(await search('lifecycle=IS:pre-live')).toEqual(['asked', 'fresh'])
    expect(await search('lifecycle=IS:initial')).toEqual(['of-editor'])
    const listed = (await server.call({ as, call: `GET ${F}` })).json().features
    expect(listed.find((one: { name: string }) => one.name === 'fresh').lifecycle.stage).toBe('pre-live')
  })

  test('stays completed for a completed flag that is requested later', async () => {
    await ask('client', 'done')
    expect(await search('lifecycle=IS:completed')).toEqual(['done'])
  })
})

describe('creators of flags', () => {
  scenarios(() => server, [
    { name: 'a flag', as, call: `GET ${F}/of-editor`, status: 200, has: { createdBy: EDITOR } },
    { name: 'a flag of a token', as, call: `GET ${F}/asked`, status: 200, has: { createdBy: TOKEN } },
    { name: 'flags of a project', as, call: `GET ${P}/default/flag-creators`, status: 200, has: [TOKEN, EDITOR] },
    { name: 'of an unknown one', as, call: `GET ${P}/nope/flag-creators`, status: 404 },
    { name: 'anonymous', call: `GET ${P}/default/flag-creators`, status: 401 },
    { name: 'events, anonymous', call: `GET ${A}/event-creators`, status: 401 },
  ] satisfies Scenario[])

  test('events', async () => {
    const list = (await server.call({ as: 'admin', call: `GET ${A}/event-creators` })).json()
    expect(list).toEqual([TOKEN, EDITOR, { id: -1337, name: 'system' }])
  })

  test('can be searched by id', async () => {
    const { createdBy } = (await server.call({ as, call: `GET ${F}/of-editor` })).json()
    expect(await search(`createdBy=IS:${createdBy.id}`)).toEqual(['of-editor'])
    expect(await search('createdBy=IS:-42')).not.toContain('of-editor')
    expect(await search('createdBy=IS:99999')).toEqual([])
  })

  test('owners of projects: people and groups, or else the installation', async () => {
    await server.call({ as: 'editor', call: `POST ${P}`, body: { id: 'own', name: 'Own' } })
    await server.admin(`POST ${P}`, { id: 'teams', name: 'Teams' })
    const group = await server.admin('POST /api/admin/groups', { name: 'team' })
    for (const id of ['own', 'teams']) {
      await server.admin(`POST ${P}/${id}/access`, { roles: [4], users: [], groups: [group.id] })
    }
    const { projects } = (await server.call({ as, call: `GET ${P}` })).json()
    const owners = Object.fromEntries(projects.map((one: { id: string; owners: object[] }) => [one.id, one.owners]))
    const team = { ownerType: 'group', name: 'team' }
    const editor = { ownerType: 'user', name: 'editor', email: null, imageUrl: expect.any(String) }
    expect([owners.own, owners.teams]).toEqual([[editor, team], [team]])
    expect(owners.default).toEqual([{ ownerType: 'system' }])
  })
})

describe('the status of a project', () => {
  const call = `GET ${P}/default/status`
  scenarios(() => server, [
    { name: 'anonymous', call, status: 401 },
    { name: 'of an unknown one', as, call: `GET ${P}/nope/status`, status: 404 },
  ] satisfies Scenario[])

  test('contains activity, resources, and the lifecycle of its flags', async () => {
    await server.admin(`POST ${A}/segments`, { name: 's', project: 'default', constraints: [] })
    await server.admin(`POST ${P}/default/stale`, { features: ['live'], stale: true })
    const status = (await server.call({ as, call })).json()
    expect(status).toMatchObject({
      resources: { apiTokens: 2, members: 0, segments: 1 },
      health: { current: 80 },
      technicalDebt: { current: 20 },
      lifecycleSummary: {
        initial: { averageDays: 2.6, currentFlags: 1 },
        preLive: { averageDays: 0.5, currentFlags: 2 },
        live: { averageDays: null, currentFlags: 1 },
        completed: { currentFlags: 1 },
        archived: { currentFlags: 1, last30Days: 1 },
      },
      staleFlags: { total: 1 },
    })
    expect(status.activityCountByDate.map((one: { date: string }) => one.date)).toEqual([
      '2030-01-01',
      '2030-01-03',
      '2030-01-04',
    ])
  })

  test('has no average and no debt for an empty project', async () => {
    await server.admin(`POST ${P}`, { id: 'empty', name: 'Empty' })
    expect((await server.call({ as, call: `GET ${P}/empty/status` })).json()).toMatchObject({
      technicalDebt: { current: 0 },
      lifecycleSummary: { initial: { averageDays: null, currentFlags: 0 } },
    })
  })
})

function iso(days: number): string {
  return new Date(START + days * DAY).toISOString()
}
