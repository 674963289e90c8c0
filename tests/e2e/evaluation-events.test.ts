import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runServer, type ServerNode, serverNode } from '../chaos/server-node.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts'

/** Events `feature_flag.evaluation` of a server, an edge and a proxy, and other telemetry of a proxy. */
const WAIT = { timeout: 20_000, interval: 50 }
const FRONTEND = 'default:development.frontend-of-events'
const CLIENT = 'default:development.client-of-events'
const folder = temporaryFolder()
let receiver: OtlpReceiver
let node: ServerNode
let edge: BurgeeProcess
let edgeUrl: string
let otel: Record<string, string>

beforeAll(async () => {
  receiver = await startOtlpReceiver()
  otel = {
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${receiver.url}/v1/logs`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_LOGS_EXPORTER: 'otlp',
  }
  node = await serverNode(
    runServer({ DATA_DIR: folder.path, INIT_FRONTEND_API_TOKENS: FRONTEND, INIT_CLIENT_API_TOKENS: CLIENT, ...otel }),
  )
  await node.makeOn('served')
  const strategies = [{ name: 'default' }]
  const variants = [{ name: 'blue', weight: 1000, payload: { type: 'string', value: 'b' } }]
  const features = [{ name: 'at-the-edge', enabled: true, strategies, variants }]
  writeFileSync(join(folder.path, 'flags.json'), JSON.stringify({ version: 2, features }))
  const own = { BOOTSTRAP_FILE: join(folder.path, 'flags.json'), FRONTEND_TOKENS: FRONTEND, PORT: '0' }
  edge = runBurgee(['edge', 'offline'], { ...own, ...otel })
  edgeUrl = `http://127.0.0.1:${await edge.find(/port (\d+)/)}`
})
afterAll(async () => {
  for (const one of [node.process, edge]) {
    one.kill('SIGKILL')
    await one.ended
  }
  await receiver.close()
  folder.remove()
})

/** Requests a flag and returns the attributes of the events about it. */
const listEvents = (flag: string) =>
  receiver
    .events()
    .map(({ eventName, attributes }) => ({
      name: eventName,
      ...Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue])),
    }))
    .filter((event) => Reflect.get(event, 'feature_flag.key') === flag)

const request = (base: string, path: string, body?: object) =>
  fetch(base + path, {
    headers: { authorization: FRONTEND, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })

test('a server sends an event for a flag that is requested by name', async () => {
  const body = { context: { targetingKey: 'secret-user', email: 'secret-mail' } }
  expect((await request(node.base, '/ofrep/v1/evaluate/flags/served', body)).status).toBe(200)
  expect((await request(node.base, '/api/frontend/features/served?userId=secret-user')).status).toBe(200)
  const common = {
    name: 'feature_flag.evaluation',
    'feature_flag.key': 'served',
    'feature_flag.provider.name': 'burgee',
    'feature_flag.set.id': 'default/development',
    'feature_flag.version': expect.stringMatching(/^\S+$/),
  }
  await vi.waitFor(() => expect(listEvents('served')).toHaveLength(2), WAIT)
  expect(listEvents('served')).toEqual([
    {
      ...common,
      'feature_flag.result.variant': 'on',
      'feature_flag.result.reason': expect.stringMatching(/^[a-z_]+$/),
    },
    { ...common, 'feature_flag.result.value': true },
  ])
  expect(JSON.stringify(receiver.requests)).not.toContain('secret-')
})

test('an edge sends the variant, and no event for a list or an unknown flag', async () => {
  expect((await request(edgeUrl, '/ofrep/v1/evaluate/flags', {})).status).toBe(200)
  expect((await request(edgeUrl, '/ofrep/v1/evaluate/flags/unknown', {})).status).toBe(404)
  expect((await request(edgeUrl, '/api/frontend')).status).toBe(200)
  expect((await request(edgeUrl, '/ofrep/v1/evaluate/flags/at-the-edge', {})).status).toBe(200)
  await vi.waitFor(() => expect(listEvents('at-the-edge')).toHaveLength(1), WAIT)
  expect(listEvents('at-the-edge')[0]).toMatchObject({ 'feature_flag.result.variant': 'blue' })
  expect(listEvents('unknown')).toEqual([])
})

test.each([1, 2])('a proxy with %i workers sends metrics, spans and events', async (workers) => {
  const name = `proxy-of-${workers}`
  await node.makeOn(name)
  const proxy = runBurgee(['proxy'], {
    FLAG_URL: `${node.base}/api`,
    FLAG_API_TOKEN: CLIENT,
    FLAG_PROXY_CLIENT_KEYS: FRONTEND,
    FLAG_BACKUP: 'no',
    FLAG_WORKERS: String(workers),
    PORT: '0',
    ...otel,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: name,
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BLRP_SCHEDULE_DELAY: '100',
    OTEL_PROPAGATORS: 'b3',
    EVALUATION_EVENT_CONTEXT_ID: 'true',
  })
  const base = `http://127.0.0.1:${await proxy.find(/port (\d+)/)}`
  await vi.waitFor(async () => expect((await request(base, '/proxy/health')).status).toBe(200), WAIT)
  const path = `/ofrep/v1/evaluate/flags/${name}`
  const body = { context: { targetingKey: 'user-7' } }
  await vi.waitFor(async () => expect((await request(base, path, body)).status).toBe(200), WAIT)
  await vi.waitFor(() => expect(listEvents(name)).toHaveLength(1), WAIT)
  expect(listEvents(name)[0]).toMatchObject({
    'feature_flag.set.id': 'default/development',
    'feature_flag.version': expect.stringMatching(/^\S+$/),
    'feature_flag.context.id': 'user-7',
  })
  await vi.waitFor(() => {
    const own = receiver.requests.filter((one) => JSON.stringify(one.body).includes(`"${name}"`))
    expect(new Set(own.map((one) => one.path))).toEqual(new Set(['/v1/metrics', '/v1/traces', '/v1/logs']))
    expect(JSON.stringify(own)).toContain('burgee_proxy_evaluations_total')
    expect(JSON.stringify(own)).toContain('POST /ofrep/v1/evaluate/flags/:key')
  }, WAIT)
  expect(proxy.output()).toContain('These variables are not supported and have no effect: OTEL_PROPAGATORS')
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
})
