import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const A = '/api/admin'
const D = `${A}/projects/default`
const F = `${D}/features`

const admin = (call: string, body?: unknown) => server.admin(call, body)

const flag = (name: string) => admin(`POST ${F}`, { name })
const rolloutIn = (name: string, environment: string, more: object = {}) =>
  admin(`POST ${F}/${name}/environments/${environment}/strategies`, { name: 'flexibleRollout', ...more })

/** Creates `shop` with development and a third environment, without production. */
async function makePlaces(): Promise<void> {
  await admin(`POST ${A}/environments`, { name: 'stage', type: 'preproduction' })
  await admin(`POST ${A}/projects`, { id: 'shop', name: 'Shop' })
  await admin(`DELETE ${A}/projects/shop/environments/production`)
  await admin(`POST ${A}/projects`, { id: 'closed', name: 'Closed' })
  await admin(`POST ${A}/projects/archive/closed`)
}

async function makeFlags(): Promise<void> {
  for (const name of ['f', 'in-production', 'on', 'varied', 'child', 'parent', 'narrow', 'wide', 'gone', 'mine']) {
    await flag(name)
  }
  await rolloutIn('f', 'development')
  await admin(`POST ${F}/f/environments/development/on`)
  await admin(`POST ${A}/features/f/tags`, { type: 'simple', value: 'red' })
  await rolloutIn('in-production', 'production')
  await admin(`POST ${F}/on/environments/production/on`)
  // as in databases of older versions: enabled without a strategy
  await server.db.rows("delete from feature_strategies where feature_name = 'on'")
  await admin(`PUT ${F}/varied/environments/production/variants`, [{ name: 'v', weight: 1000 }])
  await admin(`POST ${F}/child/dependencies`, { feature: 'parent' })
  const narrow = await admin(`POST ${A}/segments`, { name: 'narrow', project: 'default', constraints: [] })
  const wide = await admin(`POST ${A}/segments`, { name: 'wide', constraints: [] })
  await rolloutIn('narrow', 'development', { segments: [narrow.id] })
  await rolloutIn('wide', 'development', { segments: [wide.id] })
  await admin(`DELETE ${F}/gone`)
}

beforeAll(async () => {
  server = await startServer()
  await makePlaces()
  await makeFlags()
})
afterAll(() => server.close())

const move = (name: string, newProjectId: unknown, more: Partial<Scenario> = {}): Scenario => ({
  name: `${name} to ${newProjectId}`,
  as,
  call: `POST ${F}/${name}/changeProject`,
  body: { newProjectId },
  status: 200,
  ...more,
})
const refused = (name: string, why: string): Scenario =>
  move(name, 'shop', { status: 403, has: { name: 'InvalidOperationError', message: expect.stringContaining(why) } })

describe('moving a flag', () => {
  scenarios(() => server, [
    move('f', 'shop', { name: 'anonymous', as: '', status: 401 }),
    move('f', 'shop', { name: 'a client token', as: 'client', status: 403 }),
    move('f', 'shop', { name: 'a viewer', as: 'viewer', status: 403, has: { permissions: ['MOVE_FEATURE_TOGGLE'] } }),
    move('f', 'shop', { name: 'the right here alone', as: 'editor', status: 403, has: { name: 'NoAccessError' } }),
    move('f', 'nope', { name: 'the right here alone, to nowhere', as: 'editor', status: 403 }),
    move('f', 'nope', { status: 404, has: { name: 'NotFoundError' }, text: 'nope' }),
    move('f', '__proto__', { status: 404 }),
    move('nope', 'shop', { status: 404, text: 'nope' }),
    move('gone', 'shop', { name: 'an archived flag', status: 404, text: 'archived' }),
    move('f', 'closed', { name: 'an archived project', status: 403, has: { name: 'InvalidOperationError' } }),
    move('f', '', { status: 400, text: 'newProjectId' }),
    move('f', ['shop'], { status: 400, text: 'newProjectId' }),
    { ...move('f', 'shop'), name: 'no project', body: {}, status: 400, text: 'newProjectId' },
    { name: 'no body', as, call: `POST ${F}/f/changeProject`, status: 415 },
    {
      ...move('f', 'shop'),
      name: 'a flag of another project',
      call: `POST ${A}/projects/shop/features/f/changeProject`,
      status: 404,
    },
    refused('in-production', '"production"'),
    refused('on', '"production"'),
    refused('varied', '"production"'),
    refused('child', '"parent"'),
    refused('parent', '"child"'),
    refused('narrow', '"narrow"'),
    move('f', 'default', { name: 'to where it is', empty: true }),
    move('f', 'shop', { empty: true, events: ['feature-project-change'] }),
    move('f', 'shop', { name: 'f again, by its old address', status: 404 }),
    move('wide', 'shop', { name: 'with a segment of all projects', events: ['feature-project-change'] }),
    {
      name: 'it has all that it had, and is off where it is new',
      as,
      call: `GET ${A}/projects/shop/features/f`,
      status: 200,
      has: {
        project: 'shop',
        tags: [{ type: 'simple', value: 'red' }],
        environments: [
          { name: 'development', enabled: true, strategies: [{ name: 'flexibleRollout' }] },
          { name: 'stage', enabled: false, strategies: [] },
        ],
      },
    },
    { name: 'it is not where it was', as, call: `GET ${F}/f`, status: 404 },
    {
      name: 'the event names both projects',
      as,
      call: `GET ${A}/events/f?limit=1`,
      status: 200,
      has: {
        events: [
          {
            type: 'feature-project-change',
            project: 'shop',
            data: { oldProject: 'default', newProject: 'shop' },
            preData: null,
            tags: [{ type: 'simple', value: 'red' }],
          },
        ],
      },
    },
  ] satisfies Scenario[])

  test('takes the right in both projects, and no other', async () => {
    const user = await admin(`POST ${A}/user-admin`, {
      username: 'mover',
      password: 'a password nobody guesses',
      rootRole: 3,
    })
    const login = await server.call({
      call: 'POST /auth/simple/login',
      body: { username: 'mover', password: 'a password nobody guesses' },
    })
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? ''
    const go = async () => {
      const call = `POST ${F}/mine/changeProject`
      return (await server.call({ call, body: { newProjectId: 'shop' }, headers: { cookie } })).statusCode
    }
    expect(await go()).toBe(403)
    await admin(`PUT ${A}/projects/shop/users/${user.id}/roles`, { roles: [5] })
    expect(await go()).toBe(403)
    await admin(`PUT ${D}/users/${user.id}/roles`, { roles: [5] })
    expect(await go()).toBe(200)
  })

  test('takes effect for SDKs at once: gone for tokens of the old project, present for tokens of the new one', async () => {
    const token = { tokenName: 'shop', type: 'client', environment: 'development', projects: ['shop'] }
    const { secret } = await admin(`POST ${A}/api-tokens`, token)
    const names = async (who: string) => {
      const reply = await server.call({ as: who, call: 'GET /api/client/features' })
      return reply.json().features.map((feature: { name: string }) => feature.name)
    }
    await flag('seen')
    expect([await names('client'), await names(secret)]).toEqual([
      expect.arrayContaining(['seen']),
      expect.not.arrayContaining(['seen']),
    ])
    await admin(`POST ${F}/seen/changeProject`, { newProjectId: 'shop' })
    expect([await names('client'), await names(secret)]).toEqual([
      expect.not.arrayContaining(['seen']),
      expect.arrayContaining(['seen']),
    ])
  })

  test('two at once: one moves it, the other finds it gone', async () => {
    await admin(`POST ${A}/projects`, { id: 'second', name: 'Second' })
    await flag('raced')
    const last = await server.lastEventId()
    const calls = ['shop', 'second'].map((newProjectId) =>
      server.call({ as, call: `POST ${F}/raced/changeProject`, body: { newProjectId } }),
    )
    expect((await Promise.all(calls)).map((reply) => reply.statusCode).sort()).toEqual([200, 404])
    expect(await server.eventsAfter(last)).toEqual(['feature-project-change'])
  })
})
