import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { RequestTracer, TracedRequest } from '../http/request-tracer.ts'

/** Database statement of a traced request, and its outcome. */
export interface TracedQuery {
  /** SQL text with placeholders instead of values. */
  readonly text: string
  readonly durationMs: number
  readonly error?: unknown
}

/** Creates spans for requests and for the database calls that they make. */
export interface Tracing extends RequestTracer {
  /** Records a completed database call as a child of the request that made it. Ignores calls that no request made. */
  recordQuery(query: TracedQuery): void
}

const SERVER_ERROR = 500
const MAX_QUERY_CHARACTERS = 2000

const HEADERS: TextMapGetter<TracedRequest['headers']> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
}

/** Creates spans according to the semantic conventions of OpenTelemetry for HTTP servers and databases. */
export function createTracing(tracer: Tracer, database: 'postgresql' | 'sqlite', clock: () => number): Tracing {
  const requests = new AsyncLocalStorage<Context>()
  const propagator = new W3CTraceContextPropagator()
  return {
    start(request) {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, HEADERS)
      const span = startRequestSpan(tracer, request, parent)
      const context = trace.setSpan(parent, span)
      return { run: (work) => requests.run(context, work), end: (status) => endRequestSpan(span, status) }
    },
    recordQuery({ text, durationMs, error }) {
      const context = requests.getStore()
      if (context === undefined || trace.getSpan(context)?.isRecording() !== true) return
      const endMs = clock()
      const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY'
      const attributes = {
        'db.system.name': database,
        'db.operation.name': operation,
        'db.query.text': text.slice(0, MAX_QUERY_CHARACTERS),
      }
      const options = { kind: SpanKind.CLIENT, startTime: endMs - durationMs, attributes }
      const span = tracer.startSpan(operation, options, context)
      if (error !== undefined) setError(span, error instanceof Error ? error.name : 'error')
      span.end(endMs)
    },
  }
}

function startRequestSpan(tracer: Tracer, { method, route }: TracedRequest, parent: Context): Span {
  const attributes = { 'http.request.method': method, 'http.route': route }
  return tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
}

function endRequestSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= SERVER_ERROR) setError(span, String(status))
  span.end()
}

function setError(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
