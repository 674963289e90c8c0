import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** A flag lists the applications that request it with SDKs that do not support all of its features. */
let server: TestServer
const counter = queryCounter()
let now = Date.now()
const A = '/api/admin'
const P = `${A}/projects`
const F = `${P}/default/features`
const REGEX = { contextName: 'x', operator: 'REGEX', value: '^a$' }
const OLD_JAVA = 'unleash-client-java:9.3.2'
const OLD_NODE = 'unleash-client-node:3.11.1'

interface Gap {
  readonly appName: string
  readonly environment: string
  readonly sdkVersion: string
  readonly lacks: readonly { readonly ability: string; readonly isUsed: boolean }[]
}

beforeAll(async () => {
  server = await startServer({}, () => now, { onQuery: counter.onQuery })
  for (const name of ['parent', 'flag', 'other']) await server.admin(`POST ${F}`, { name })
  await report('shop', OLD_JAVA, 'flag')
  await report('modern', 'unleash-python-sdk:6.9.1', 'flag')
  await report('elsewhere', OLD_JAVA, 'other')
  await report('shop', OLD_JAVA, 'other', 'production')
  await server.admin(`POST ${P}`, { id: 'secret', name: 'secret' })
  await server.admin(`PUT ${P}/secret`, { name: 'secret', mode: 'private' })
  const token = { tokenName: 'hidden', type: 'client', environment: 'development', projects: ['secret'] }
  const { secret } = await server.admin(`POST ${A}/api-tokens`, token)
  await report('hidden-app', OLD_NODE, 'flag', String(secret))
  await server.server.flush()
  // counted while the flag was in the project
  await server.db.rows(
    "insert into client_metrics (environment, app_name, feature_name, hour, yes, no) values ('development', 'hidden-app', 'flag', ?, 1, 0)",
    now,
  )
})
afterAll(() => server.close())

async function report(appName: string, sdkVersion: string, flag: string, as = 'client'): Promise<void> {
  const started = new Date(now).toISOString()
  const hello = { appName, instanceId: 'one', sdkVersion, strategies: [], started, interval: 1000 }
  expect((await server.call({ as, call: 'POST /api/client/register', body: hello })).statusCode).toBe(202)
  const bucket = { start: started, stop: started, toggles: { [flag]: { yes: 1, no: 0 } } }
  const body = { appName, instanceId: 'one', bucket }
  expect((await server.call({ as, call: 'POST /api/client/metrics', body })).statusCode).toBe(202)
}

/**
 * Returns the gaps in SDK support for a flag. First advances the clock by more than half a minute, for which gaps are
 * cached.
 */
async function gapsOf(flag: string, as = 'admin'): Promise<Gap[]> {
  now += 31_000
  return (await server.call({ as, call: `GET ${F}/${flag}` })).json().sdkGaps ?? []
}

const usedBy = (gaps: readonly Gap[], appName: string) =>
  gaps
    .filter((gap) => gap.appName === appName)
    .flatMap(({ lacks }) => lacks.filter(({ isUsed }) => isUsed).map(({ ability }) => ability))

test('names applications that ask for the flag by an SDK with gaps, and no others', async () => {
  expect(await gapsOf('flag')).toEqual([
    expect.objectContaining({ appName: 'hidden-app', environment: 'development', sdkVersion: OLD_NODE }),
    {
      appName: 'shop',
      environment: 'development',
      sdkVersion: OLD_JAVA,
      lacks: [
        {
          ability: 'regex',
          outcome: 'off',
          knownFrom: '12.2.0',
          strategies: [],
          isUsed: false,
          message: expect.stringContaining('the strategy is off for everyone'),
        },
        expect.objectContaining({ ability: 'networks', knownFrom: null, isUsed: false }),
      ],
    },
  ])
  expect((await gapsOf('parent')).length).toBe(0)
})

test('names the strategy that uses the feature, in the environment of the application', async () => {
  const strategies = (environment: string) => `POST ${F}/flag/environments/${environment}/strategies`
  await server.admin(strategies('production'), { name: 'default', constraints: [REGEX] })
  expect(usedBy(await gapsOf('flag'), 'shop')).toEqual([])
  const { id } = await server.admin(strategies('development'), { name: 'default', constraints: [REGEX] })
  const [lack] = (await gapsOf('flag')).find(({ appName }) => appName === 'shop')?.lacks ?? []
  expect(lack).toMatchObject({ ability: 'regex', isUsed: true, strategies: [id] })
})

test('counts the strategies of milestones that have not started, in the environment of the plan', async () => {
  const strategies = (constraints: readonly object[]) => [{ strategyName: 'default', constraints }]
  const { id: templateId } = await server.admin(`POST ${A}/release-plan-templates`, {
    name: 'Two steps',
    milestones: [
      { name: 'first', strategies: strategies([]) },
      { name: 'later', strategies: strategies([REGEX]) },
    ],
  })
  await report('old-shop', OLD_JAVA, 'planned')
  await server.admin(`POST ${F}`, { name: 'planned' })
  const plans = (environment: string) => `POST ${F}/planned/environments/${environment}/release-plans`
  await server.admin(plans('production'), { templateId })
  await server.server.flush()
  expect(usedBy(await gapsOf('planned'), 'old-shop')).toEqual([])
  const { milestones } = await server.admin(plans('development'), { templateId })
  const [lack] = (await gapsOf('planned')).find(({ appName }) => appName === 'old-shop')?.lacks ?? []
  expect(lack).toMatchObject({ ability: 'regex', isUsed: true, strategies: [milestones[1].strategies[0].id] })
})

test('counts the constraints of segments and the parents of the flag', async () => {
  const networks = { contextName: 'remoteAddress', operator: 'IN_CIDR', values: ['10.0.0.0/8'] }
  const { id } = await server.admin(`POST ${A}/segments`, { name: 'inside', constraints: [networks] })
  await server.admin(`POST ${F}/flag/environments/development/strategies`, { name: 'default', segments: [id] })
  await server.admin(`POST ${F}/flag/dependencies`, { feature: 'parent' })
  const gaps = await gapsOf('flag')
  expect(usedBy(gaps, 'shop')).toEqual(['regex', 'networks'])
  expect(usedBy(gaps, 'hidden-app')).toEqual(['regex', 'networks', 'parents'])
})

test('counts certain variants of a parent, which an SDK passes over', async () => {
  await report('go-shop', 'unleash-client-go:4.5.0', 'flag')
  await server.server.flush()
  expect(usedBy(await gapsOf('flag'), 'go-shop')).not.toContain('parentVariants')
  await server.admin(`POST ${F}/flag/dependencies`, { feature: 'parent', variants: ['blue'] })
  const lacks = (await gapsOf('flag')).find(({ appName }) => appName === 'go-shop')?.lacks ?? []
  expect(lacks.find(({ ability }) => ability === 'parentVariants')).toMatchObject({
    isUsed: true,
    outcome: 'ignored',
    message: expect.stringContaining('the flag is on with any variant of its parent'),
  })
})

test('hides applications of private projects from others than their members', async () => {
  expect((await gapsOf('flag', 'viewer')).map(({ appName }) => appName)).toEqual(['go-shop', 'shop'])
})

test('forgets an application that has not reported for thirty days', async () => {
  const before = now
  now += 31 * 86_400_000
  expect(await gapsOf('flag')).toEqual([])
  now = before
})

test('a page that was just read costs no query, and a list never', async () => {
  await gapsOf('flag')
  const page = () => server.call({ as: 'admin', call: `GET ${F}/flag` })
  const list = () => server.call({ as: 'admin', call: `GET ${F}` })
  await list()
  const withoutGaps = await counter.count(list)
  expect(await counter.count(page)).toBeLessThanOrEqual(withoutGaps)
})
