import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { openRelay, type Relay } from '../../support/relay.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { type FlagStream, openFlagStream } from '../sdk/streams/flag-stream.ts'

/**
 * Test runs at two servers on one PostgreSQL database: with notifications between them, and with notifications that
 * never arrive.
 */
const RUNS = '/api/admin/projects/default/test-runs'
const FLAGS = '/api/admin/projects/default/features'
const LISTEN = 'listen burgee_events'
const environment = 'development'

describe.runIf(inject('driver') === 'postgres').each([
  ['notifications', (bytes: Buffer) => bytes],
  [
    'polls only',
    (bytes: Buffer) =>
      Buffer.from(bytes.toString('latin1').replaceAll(LISTEN, 'select 1'.padEnd(LISTEN.length)), 'latin1'),
  ],
])('two servers with %s', (_way, alter) => {
  let place: EmptyPlace
  let relay: Relay
  let servers: TestServer[]
  let streams: FlagStream[]
  beforeEach(async () => {
    ;[servers, streams] = [[], []]
    place = await readyPlace()
    const url = new URL(String(place.options.databaseUrl))
    relay = await openRelay({ host: url.hostname, port: Number(url.port) })
    relay.alterRequests(alter)
    await startNode()
    await startNode()
    await first().admin(`POST ${FLAGS}`, { name: 'checkout' })
    await first().admin(`POST ${FLAGS}`, { name: 'search' })
  })
  afterEach(async () => {
    for (const stream of streams) stream.close()
    for (const server of servers) await server.close()
    await relay.close()
    await place.remove()
  })

  const first = () => servers[0] as TestServer
  const second = () => servers[1] as TestServer
  async function startNode(): Promise<TestServer> {
    const url = new URL(String(place.options.databaseUrl))
    url.port = String(relay.port)
    const behind = { ...place, options: { databaseUrl: url.href }, remove: async () => {} }
    const server = await startServer({}, Date.now, { place: behind })
    // the next server on this database recreates them
    await server.db.rows("delete from users where username in ('editor', 'viewer')")
    servers.push(server)
    return server
  }
  async function openStream(server: TestServer, token: string): Promise<FlagStream> {
    const { url } = await server.server.listen()
    const stream = await openFlagStream(url, token, {})
    streams.push(stream)
    return stream
  }
  const getStatus = async (server: TestServer, token: string) =>
    (await server.call({ as: token, call: 'GET /api/client/features' })).statusCode
  const start = (overrides: object) => first().admin(`POST ${RUNS}`, { environment, overrides })
  const getState = (stream: FlagStream, flag: string) => stream.holding().features.get(flag)?.enabled

  test('share a run: it works at once, changes reach the streams of both, and its end closes them', async () => {
    const run = await start({ checkout: true })
    expect(await getStatus(second(), run.clientToken)).toBe(200)
    const own = [await openStream(first(), run.clientToken), await openStream(second(), run.clientToken)]
    const untilState = (isOn: boolean) => until(() => own.every((one) => getState(one, 'checkout') === isOn))
    await untilState(true)
    await first().admin(`PATCH ${RUNS}/${run.id}`, { overrides: { checkout: false } })
    await untilState(false)
    await second().admin(`PATCH ${RUNS}/${run.id}`, { overrides: { checkout: true } })
    await untilState(true)
    await first().admin(`DELETE ${RUNS}/${run.id}`)
    await Promise.all(own.map(({ ended }) => ended))
    expect(await getStatus(first(), run.clientToken)).toBe(401)
    await until(async () => (await getStatus(second(), run.clientToken)) === 401)
  })

  test('agree after concurrent changes, whatever their order', async () => {
    const run = await start({})
    const own = [await openStream(first(), run.clientToken), await openStream(second(), run.clientToken)]
    const flip = (server: TestServer, overrides: object) => server.admin(`PATCH ${RUNS}/${run.id}`, { overrides })
    const changes = Array.from({ length: 10 }, (_, at) => [
      flip(first(), { checkout: at % 2 === 0, search: at % 3 === 0 }),
      flip(second(), { checkout: at % 2 === 1 }),
    ])
    await Promise.all(changes.flat())
    const { version, overrides } = await flip(first(), {})
    const row = await first().db.row('select version, overrides from test_runs')
    expect(version).toBe(Number(row?.version))
    await until(() => own.every((one) => getState(one, 'checkout') === overrides.checkout))
    await until(() => own.every((one) => getState(one, 'search') === overrides.search))
    for (const server of servers) {
      const reply = await server.call({ as: run.clientToken, call: 'GET /api/client/features' })
      const enabled = Object.fromEntries(
        reply.json().features.map((one: { name: string; enabled: boolean }) => [one.name, one.enabled]),
      )
      expect(enabled).toMatchObject(overrides)
    }
    const tags = await Promise.all(
      servers.map(
        async (server) => (await server.call({ as: run.clientToken, call: 'GET /api/client/features' })).headers.etag,
      ),
    )
    expect(tags[0]).toBe(tags[1])
  })

  test('keep a run over a restart, and never bring back a run that has ended', async () => {
    const kept = await start({ checkout: true })
    const ended = await start({ checkout: true })
    expect(await getStatus(second(), ended.clientToken)).toBe(200)
    await first().admin(`DELETE ${RUNS}/${ended.id}`)
    await until(async () => (await getStatus(second(), ended.clientToken)) === 401)
    const restarted = await startNode()
    // the first request of the new node already knows the run
    expect(await getStatus(restarted, kept.clientToken)).toBe(200)
    for (const server of servers) {
      expect(await getStatus(server, ended.clientToken)).toBe(401)
      const change = {
        as: 'admin',
        call: `PATCH ${RUNS}/${ended.id}`,
        body: { overrides: { checkout: false } },
      } as const
      expect((await server.call(change)).statusCode).toBe(404)
    }
  })
})
