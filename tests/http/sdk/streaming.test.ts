import type { Unleash } from 'unleash-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nodeSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'
import { type FlagStream, followed, openFlagStream } from './streams/flag-stream.ts'

const FLAGS = '/api/admin/projects/default/features'
let server: TestServer
let base: string
const [sdks, streams]: [Unleash[], FlagStream[]] = [[], []]

beforeAll(async () => {
  server = await startServer({ serverMetrics: true })
  base = (await server.server.listen()).url
  await server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
})
afterEach(() => {
  for (const sdk of sdks.splice(0)) sdk.destroy()
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => server.close())

const open = async (token: string = TOKENS.client, headers = {}): Promise<FlagStream> => {
  const stream = await openFlagStream(base, token, headers)
  streams.push(stream)
  return stream
}
const newToken = async (body: object): Promise<string> => {
  const reply = await server.admin('POST /api/admin/api-tokens', {
    tokenName: 'streams',
    type: 'client',
    environment: 'development',
    ...body,
  })
  return reply.secret
}
/** Creates a flag that is on for everyone in development. */
const makeOn = async (name: string, project = 'default') => {
  const flags = `/api/admin/projects/${project}/features`
  await server.admin(`POST ${flags}`, { name })
  await server.admin(`POST ${flags}/${name}/environments/development/strategies`, { name: 'default' })
  await server.admin(`POST ${flags}/${name}/environments/development/on`)
}

describe('the official Node SDK', () => {
  const streaming = (token: string, mode: object = { type: 'streaming' }): Unleash => {
    const config = { url: `${base}/api`, customHeaders: { Authorization: token }, disableMetrics: true }
    const sdk = nodeSdk({ ...config, experimentalMode: mode as never })
    sdk.on('error', () => {})
    sdks.push(sdk)
    return sdk
  }

  test.each([
    ['streaming', { type: 'streaming' }],
    ['delta polling', { type: 'polling', format: 'delta' }],
  ])('%s: receives each change and ends with the downloaded state', async (_name, mode) => {
    const sdk = streaming(TOKENS.client, mode)
    await until(() => sdk.isSynchronized())
    const name = `sdk-${String(mode.type)}`
    const at = `${FLAGS}/${name}`
    const isOn = (context = {}) => sdk.isEnabled(name, context)
    await makeOn(name)
    await until(() => isOn())
    await server.admin(`POST ${at}/environments/development/off`)
    await until(() => !isOn())
    await server.admin(`POST ${at}/environments/development/on`)
    const segment = await server.admin('POST /api/admin/segments', { name, constraints: [userIn('7')] })
    await server.admin(`POST ${at}/environments/development/strategies`, { name: 'default', segments: [segment.id] })
    const all = await server.admin(`GET ${at}/environments/development/strategies`)
    await server.admin(`DELETE ${at}/environments/development/strategies/${all[0].id}`)
    await until(() => isOn({ userId: '7' }) && !isOn({ userId: '8' }))
    await server.admin(`PUT /api/admin/segments/${segment.id}`, { name, constraints: [userIn('8')] })
    await until(() => isOn({ userId: '8' }) && !isOn({ userId: '7' }))
    await server.admin(`DELETE ${at}`)
    await until(() => !isOn({ userId: '8' }) && sdk.getFeatureToggleDefinition(name) === undefined)
    await server.admin(`POST /api/admin/archive/revive/${name}`)
    await server.admin(`POST ${at}/environments/development/on`)
    await until(() => isOn({ userId: '8' }))
    const headers = { 'unleash-client-spec': '5.2.0' }
    const download = await server.call({ as: 'client', call: 'GET /api/client/features', headers })
    const byName = (list: { name: string }[]) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(byName(sdk.getFeatureToggleDefinitions())).toEqual(byName(download.json().features))
  })
})

const userIn = (value: string) => ({ contextName: 'userId', operator: 'IN', values: [value] })

test('a project token gets and loses flags that move in and out of its project, and no other flags', async () => {
  const [own, other] = [await open(), await open(await newToken({ project: 'other' }))]
  await makeOn('wanderer')
  await makeOn('stranger', 'other')
  const both = async () => {
    await followed(own, base, TOKENS.client)
    return [own, other].map((stream) => [...stream.holding().features.keys()].filter((name) => /er$/.test(name)).sort())
  }
  await until(async () => JSON.stringify(await both()) === '[["wanderer"],["stranger"]]')
  const move = (from: string, to: string) =>
    server.admin(`POST /api/admin/projects/${from}/features/wanderer/changeProject`, { newProjectId: to })
  await move('default', 'other')
  await until(async () => JSON.stringify(await both()) === '[[],["stranger","wanderer"]]')
  await move('other', 'default')
  await until(async () => JSON.stringify(await both()) === '[["wanderer"],["stranger"]]')
  expect(JSON.stringify(own.events)).not.toContain('stranger')
  expect(other.events.some(({ data }) => data.includes('"feature-removed"'))).toBe(true)
})

test('the headers disable buffering by proxies, and nothing is compressed', async () => {
  const stream = await open(TOKENS.client, { 'accept-encoding': 'gzip', 'unleash-interval': 'undefined' })
  await until(() => stream.events.length > 0)
  expect([stream.status, stream.headers['content-encoding']]).toEqual([200, undefined])
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  expect(stream.events).toEqual([
    expect.objectContaining({ event: 'unleash-connected', id: expect.stringMatching(/^\d+:[^:]+$/) }),
  ])
})

test.each(['1', '4294967295', '99999999999999', '-1', 'text'])(
  'Last-Event-ID %s: sends all flags, as without it',
  async (id) => {
    const stream = await open(TOKENS.client, { 'last-event-id': id })
    await until(() => stream.events.length === 1)
    expect(JSON.parse(stream.events[0]?.data ?? '').events[0].type).toBe('hydration')
  },
)

describe('a token', () => {
  test.each<[string, (secret: string) => Promise<unknown>, boolean]>([
    ['that is deleted', (secret) => server.admin(`DELETE /api/admin/api-tokens/${secret}`), false],
    ['whose end is set to a time that is past', (secret) => endAt(secret, new Date(0)), false],
    ['whose end changes', (secret) => endAt(secret, new Date(Date.now() + 3_600_000)), true],
    ['that runs out', (secret) => endAt(secret, new Date(Date.now() + 600)), false],
  ])('%s closes its streams before any later change', async (_name, end, comesBack) => {
    const secret = await newToken({ project: '*' })
    let stream = await open(secret)
    const other = await open()
    await until(() => stream.events.length === 1)
    await end(secret)
    await stream.ended
    if (comesBack) expect((await open(secret)).status).toBe(200)
    else {
      await until(async () => {
        stream = await open(secret)
        return stream.status === 401
      })
    }
    const name = `after-${stream.status}-${Math.floor(performance.now())}`
    await makeOn(name)
    await until(() => other.holding().features.get(name)?.enabled)
    for (const one of streams)
      if (one !== other && one.hasEnded()) expect(JSON.stringify(one.events)).not.toContain(name)
  })
  const endAt = (secret: string, at: Date) =>
    server.admin(`PUT /api/admin/api-tokens/${secret}`, { expiresAt: at.toISOString() })

  test('ends its streams when it is a deleted personal token, too', async () => {
    const url = '/api/admin/user/tokens'
    const body = { description: 'streams', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    const { secret, id } = (await server.call({ as: 'editor', call: `POST ${url}`, body })).json()
    const stream = await open(secret)
    await until(() => stream.events.length === 1)
    await server.call({ as: 'editor', call: `DELETE ${url}/${id}` })
    await stream.ended
    expect((await open(secret)).status).toBe(401)
  })
})

test('concurrent changes are sent as one message, and other environments receive nothing', async () => {
  const [stream, production] = [await open(), await open(TOKENS.production)]
  await until(() => stream.events.length === 1 && production.events.length === 1)
  await server.admin(`POST ${FLAGS}`, { name: 'together' })
  await followed(stream, base, TOKENS.client)
  await followed(production, base, TOKENS.production)
  const [before, elsewhere] = [stream.events.length, production.events.length]
  await Promise.all(
    Array.from({ length: 20 }, () => server.admin(`POST ${FLAGS}/together/environments/development/on`)),
  )
  await until(() => stream.holding().features.get('together')?.enabled)
  expect(stream.events.length - before).toBe(1)
  expect(production.events.length).toBe(elsewhere)
})

test('series say how many there are, and how long changes take', async () => {
  await open()
  await makeOn('measured')
  const text = () => fetch(`${base}/internal-backstage/prometheus`).then((reply) => reply.text())
  await until(async () => /^burgee_propagation_seconds_count [1-9]/m.test(await text()))
  expect(await text()).toMatch(/^burgee_streams\{kind="sdk"\} [1-9]/m)
})
