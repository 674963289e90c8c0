import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** Request that a receiver has received. */
export interface OtlpRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: OtlpBody
}

interface OtlpAttribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean }
}

/** Span as OTLP/HTTP JSON contains it. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly OtlpAttribute[]
  readonly status: { readonly code?: number }
}

/** Event as OTLP/HTTP JSON contains it. */
export interface OtlpEvent {
  readonly eventName?: string
  readonly attributes: readonly OtlpAttribute[]
}

/** Metric as OTLP/HTTP JSON contains it. */
export interface OtlpMetric {
  readonly name: string
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[]; readonly isMonotonic: boolean }
  readonly gauge?: { readonly dataPoints: readonly OtlpPoint[] }
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] }
}

interface OtlpPoint {
  readonly attributes: readonly OtlpAttribute[]
  readonly asDouble?: number
  readonly count?: number
  readonly bucketCounts?: readonly number[]
}

interface OtlpBody {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
  readonly resourceLogs?: readonly {
    readonly scopeLogs: readonly { readonly logRecords: readonly OtlpEvent[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[]
  }[]
}

/** HTTP server that records what processes send to a collector, as OTLP/HTTP JSON. */
export interface OtlpReceiver {
  readonly url: string
  readonly requests: readonly OtlpRequest[]
  readonly spans: () => OtlpSpan[]
  readonly events: () => OtlpEvent[]
  /** Returns the metrics of the latest request. */
  readonly metrics: () => readonly OtlpMetric[]
  /** Sets the status of further replies; 200 at first. */
  readonly answer: (status: number) => void
  readonly close: () => Promise<void>
}

/** Starts a receiver on a free local port. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: OtlpRequest[] = []
  let status = 200
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const bytes = Buffer.concat(parts)
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      if (status === 200) {
        const body = JSON.parse(text.toString()) as OtlpBody
        requests.push({ path: request.url ?? '', headers: request.headers, body })
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () =>
      requests.flatMap(({ body }) =>
        (body.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    events: () =>
      requests.flatMap(({ body }) =>
        (body.resourceLogs ?? []).flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
      ),
    metrics: () =>
      (requests.findLast(({ body }) => body.resourceMetrics !== undefined)?.body.resourceMetrics ?? []).flatMap(
        ({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics),
      ),
    answer: (code) => {
      status = code
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
