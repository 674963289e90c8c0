import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Metrics with labels that depend on data: the number of values is limited, and the series of archived, moved or
 * deleted objects are removed.
 */
const URL = '/internal-backstage/prometheus'
const P = '/api/admin/projects'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function lines(of = server): Promise<string[]> {
  const { body } = await of.server.app.inject({ url: URL })
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** Every label of every metric, and what limits the number of its values. */
const BOUNDS: Readonly<Record<string, string>> = {
  version: 'one',
  node: 'one',
  le: 'bounds of the histogram',
  build: 'one',
  route: 'routes of the server',
  path: 'routes of the server',
  method: 'methods of routes',
  status: 'statuses',
  result: 'results',
  reason: 'reasons',
  kind: 'kinds',
  state: 'states of connections',
  pool: 'pools of connections',
  type: 'types of events and tokens',
  table: 'tables',
  range: 'ranges of time',
  template: 'templates of mails',
  provider: 'providers of integrations',
  action: 'actions',
  active: 'true and false',
  cache: 'caches',
  cluster: 'clusters of PostgreSQL',
  timeline: 'timelines of PostgreSQL',
  sdk_name: 'the first hundred',
  sdk_version: 'the first hundred',
  environment: 'environments that there are',
  environmentType: 'types of environments that there are',
  toggle: 'FLAG_SERIES_LIMIT',
  appName: 'FLAG_SERIES_LIMIT',
  project: 'FLAG_SERIES_LIMIT',
}

async function countFlag(of: TestServer, flag: string, appNames: readonly string[], as = 'client') {
  const now = new Date().toISOString()
  const bucket = { start: now, stop: now, toggles: { [flag]: { yes: 1, no: 0 } } }
  for (const appName of appNames) await of.call({ as, call: 'POST /api/client/metrics', body: { appName, bucket } })
  await of.server.flush()
}

const make = (flag: string, project = 'default', of = server) =>
  of.admin(`POST ${P}/${project}/features`, { name: flag })
const archive = (flag: string, project = 'default', of = server) => of.admin(`DELETE ${P}/${project}/features/${flag}`)

test('no series has a label without a bound', async () => {
  await make('labelled')
  await countFlag(server, 'labelled', ['labelling'])
  await until(async () => (await lines()).some((line) => line.startsWith('projects_total')))
  const labels = (await lines()).flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label))
  expect([...new Set(labels)].filter((label) => BOUNDS[label] === undefined)).toEqual([])
  expect(labels).toEqual(expect.arrayContaining(['toggle', 'appName', 'project', 'environment']))
})

describe('a name', () => {
  const named = async (name: string) => (await lines()).filter((line) => line.includes(`"${name}"`))

  test.each([
    { what: 'archived', flag: 'doomed-1', end: (flag: string) => archive(flag) },
    {
      what: 'deleted',
      flag: 'doomed-2',
      end: async (flag: string) => {
        await archive(flag)
        await server.admin(`DELETE /api/admin/archive/${flag}`)
      },
    },
  ])('leaves the series once its flag is $what, whatever is counted later', async ({ flag, end }) => {
    await make(flag)
    await server.admin(`POST ${P}/default/features/${flag}/environments/development/on`)
    await countFlag(server, flag, ['app'])
    expect((await named(flag)).length).toBeGreaterThanOrEqual(3)
    await end(flag)
    expect(await named(flag)).toEqual([])
    await countFlag(server, flag, ['app'])
    expect(await named(flag)).toEqual([])
    expect((await lines()).filter((line) => /toggle="other".*action="archived"/.test(line))).toHaveLength(1)
  })

  test('the name of a moved flag stays, and its former project leaves the series', async () => {
    for (const id of ['from-here', 'to-there']) await server.admin(`POST ${P}`, { id, name: id })
    await make('moving', 'from-here')
    expect(await named('from-here')).toHaveLength(1)
    await server.admin(`POST ${P}/from-here/features/moving/changeProject`, { newProjectId: 'to-there' })
    await server.admin(`PUT ${P}/to-there/features/moving`, { description: 'moved' })
    expect((await named('moving')).map((line) => /project="([^"]*)"/.exec(line)?.[1])).toEqual(['to-there'])
    expect(await named('from-here')).toEqual([])
    await archive('moving', 'to-there')
    await server.admin('DELETE /api/admin/archive/moving')
    expect(await named('to-there')).toHaveLength(1)
    await server.admin(`DELETE ${P}/to-there`)
    expect(await named('to-there')).toEqual([])
  })

  test('the name of a deleted environment leaves all series', async () => {
    await server.admin('POST /api/admin/environments', { name: 'short-lived', type: 'test' })
    await server.admin(`POST ${P}/default/environments`, { environment: 'short-lived' })
    const tokens = { tokenName: 'short', type: 'client', environment: 'short-lived', projects: ['*'] }
    const { secret } = await server.admin('POST /api/admin/api-tokens', tokens)
    await make('watched')
    await server.admin(`POST ${P}/default/features/watched/environments/short-lived/on`)
    expect((await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode).toBe(200)
    const before = (await named('short-lived')).map((line) => line.slice(0, line.indexOf('{')))
    expect(before).toEqual(
      expect.arrayContaining([
        'burgee_client_downloads_total',
        'burgee_document_age_seconds',
        'feature_toggle_update_total',
      ]),
    )
    await server.admin(`POST ${P}/default/features/watched/environments/short-lived/off`)
    await server.admin(`DELETE ${P}/default/environments/short-lived`)
    await server.admin(`DELETE /api/admin/api-tokens/${secret}`)
    await server.admin('DELETE /api/admin/environments/short-lived')
    expect(await named('short-lived')).toEqual([])
  })
})

test('beyond the limit flags keep their own series, without names of applications; dead names take no room', async () => {
  const small = await startServer({ flagSeriesLimit: 2 })
  try {
    for (const flag of ['dead', 'alive']) await make(flag, 'default', small)
    await countFlag(small, 'dead', ['a', 'b'])
    const usage = async () =>
      (await lines(small))
        .filter((line) => line.startsWith('feature_toggle_usage_total'))
        .map((line) => /toggle="(.*)",active="true",appName="(.*)"} (.*)/.exec(line)?.slice(1).join(' '))
    await countFlag(small, 'alive', ['a', 'b', 'c'])
    expect(await usage()).toEqual(['dead a 1', 'dead b 1', 'alive other 3'])
    await archive('dead', 'default', small)
    await usage()
    await countFlag(small, 'alive', ['a', 'b', 'c'])
    expect(await usage()).toEqual(['alive a 1', 'alive b 1', 'alive other 4'])
  } finally {
    await small.close()
  }
})
