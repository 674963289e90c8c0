import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runServer, type ServerNode, serverNode } from '../chaos/server-node.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { type OtlpReceiver, type OtlpSpan, startOtlpReceiver } from '../support/otlp-receiver.ts'

const WAIT = { timeout: 20_000, interval: 50 }
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

const folder = temporaryFolder()
let receiver: OtlpReceiver
let node: ServerNode

/** Variables that send everything at short intervals. */
const toCollector = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20team',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  OTEL_METRIC_EXPORT_INTERVAL: '200',
  OTEL_BSP_SCHEDULE_DELAY: '100',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
})

beforeAll(async () => {
  receiver = await startOtlpReceiver()
  node = await serverNode(runServer({ DATA_DIR: folder.path, ...toCollector(receiver.url) }))
  await node.makeOn('traced')
})

afterAll(async () => {
  node.process.kill('SIGKILL')
  await node.process.ended
  await receiver.close()
  folder.remove()
})

const findSpan = (name: string): OtlpSpan | undefined => receiver.spans().find((span) => span.name === name)
const readAttribute = ({ attributes }: Pick<OtlpSpan, 'attributes'>, wanted: string) => {
  const value = attributes.find(({ key }) => key === wanted)?.value
  return value?.stringValue ?? value?.intValue
}

describe('metrics', () => {
  test('have the names and labels that Prometheus reads', async () => {
    const text = await (await node.ask('/internal-backstage/prometheus')).text()
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(40)
    await vi.waitFor(
      () => expect(receiver.metrics().map(({ name }) => name)).toEqual(expect.arrayContaining(names)),
      WAIT,
    )
    const requests = receiver.metrics().find(({ name }) => name === 'burgee_http_requests_total')
    expect(requests?.sum?.isMonotonic).toBe(true)
    const created = requests?.sum?.dataPoints.find(
      (point) => readAttribute(point, 'route') === '/api/admin/projects/:projectId/features',
    )
    expect([created?.asDouble, created && readAttribute(created, 'status')]).toEqual([1, '201'])
  })

  test('keep the buckets of histograms', () => {
    const seconds = receiver.metrics().find(({ name }) => name === 'burgee_http_request_duration_seconds')
    for (const { bucketCounts = [], count } of seconds?.histogram?.dataPoints ?? []) {
      expect(bucketCounts.map(Number).reduce((sum, one) => sum + one, 0)).toBe(Number(count))
    }
    expect(seconds?.histogram?.dataPoints.length).toBeGreaterThan(0)
  })
})

describe('traces', () => {
  test('have a span for each request, with the pattern of its route, and spans of its database calls', async () => {
    const name = 'POST /api/admin/projects/:projectId/features'
    await vi.waitFor(() => expect(findSpan(name)).toBeDefined(), WAIT)
    const span = findSpan(name) as OtlpSpan
    expect(readAttribute(span, 'http.route')).toBe('/api/admin/projects/:projectId/features')
    expect(Number(readAttribute(span, 'http.response.status_code'))).toBe(201)
    await vi.waitFor(() => {
      const calls = receiver.spans().filter(({ parentSpanId }) => parentSpanId === span.spanId)
      expect(calls.map((call) => readAttribute(call, 'db.operation.name'))).toContain('INSERT')
      expect(new Set(calls.map((call) => readAttribute(call, 'db.system.name')))).toEqual(new Set(['sqlite']))
    }, WAIT)
  })

  test('continue the trace of the caller', async () => {
    await node.ask('/api/client/features', '', { traceparent: `00-${TRACE}-${PARENT}-01` })
    await vi.waitFor(() => {
      const span = receiver.spans().find(({ traceId }) => traceId === TRACE)
      expect([span?.name, span?.parentSpanId]).toEqual(['GET /api/client/features', PARENT])
    }, WAIT)
  })

  test('follow the decision of the caller not to sample a request', async () => {
    const other = TRACE.replace('0af', '1af')
    await node.ask('/api/client/features', '', { traceparent: `00-${other}-${PARENT}-00` })
    await node.ask('/health', '', { traceparent: `00-${TRACE.replace('0af', '2af')}-${PARENT}-01` })
    await vi.waitFor(
      () => expect(receiver.spans().map(({ traceId }) => traceId)).toContain(TRACE.replace('0af', '2af')),
      WAIT,
    )
    expect(receiver.spans().map(({ traceId }) => traceId)).not.toContain(other)
  })

  test('never contain a secret of a URL', async () => {
    await node.ask('/api/admin/user/reset-password?token=hush-hush')
    await node.ask('/invite/hush-hush/signup')
    await node.ask('/health', '', { traceparent: `00-${TRACE.replace('0af', '3af')}-${PARENT}-01` })
    await vi.waitFor(
      () => expect(receiver.spans().map(({ traceId }) => traceId)).toContain(TRACE.replace('0af', '3af')),
      WAIT,
    )
    expect(JSON.stringify(receiver.requests)).not.toContain('hush-hush')
  })
})

test('requests to the collector have the headers of the option, and the attributes of the service', () => {
  const { headers, body } = receiver.requests.find(({ path }) => path === '/v1/traces') ?? expect.fail('no traces')
  expect(headers['x-tenant']).toBe('a team')
  const resource = body.resourceSpans?.[0]?.resource ?? expect.fail('no resource')
  expect(readAttribute(resource, 'service.name')).toBe('burgee-server')
  expect(readAttribute(resource, 'deployment.environment.name')).toBe('test')
})

test('a server whose collector fails logs that once, serves on, and loses nothing else', async () => {
  const away = temporaryFolder()
  const failing = await startOtlpReceiver()
  failing.answer(400)
  const other = await serverNode(runServer({ DATA_DIR: away.path, ...toCollector(failing.url) }))
  await vi.waitFor(() => expect(other.process.output()).toContain('Cannot send metrics to the collector'), WAIT)
  await other.makeOn('served')
  expect((await other.download()).on).toEqual(['served'])
  failing.answer(200)
  await vi.waitFor(() => expect(failing.metrics().length).toBeGreaterThan(40), WAIT)
  expect(other.process.output().split('Cannot send metrics').length).toBe(2)
  expect(other.process.output()).not.toContain('a%20team')
  other.process.kill('SIGTERM')
  expect(await other.process.ended).toBe(0)
  await failing.close()
  away.remove()
})

test('an unencrypted collector on another machine prevents the start if encryption is required', async () => {
  const own = temporaryFolder()
  const started = runServer({
    DATA_DIR: own.path,
    REQUIRE_ENCRYPTION: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
  })
  expect(await started.ended).toBe(1)
  expect(started.errors()).toContain('REQUIRE_ENCRYPTION needs https for OTEL_EXPORTER_OTLP_ENDPOINT')
  own.remove()
})

test('grpc is answered with a warning that says what to use', async () => {
  const own = temporaryFolder()
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  const started = runServer({ DATA_DIR: own.path, ...variables })
  await started.find(/OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported.*http\/protobuf/)
  await serverNode(started)
  started.kill('SIGTERM')
  expect(await started.ended).toBe(0)
  own.remove()
})
