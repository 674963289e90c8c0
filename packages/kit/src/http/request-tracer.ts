import type { IncomingHttpHeaders } from 'node:http'

/** Creates a span for each request. */
export interface RequestTracer {
  /**
   * Starts the span of a request. `route` is the pattern of the route, which is used because a URL can contain secrets.
   * Returns undefined if the request is not traced.
   */
  start(request: TracedRequest): RequestSpan | undefined
}

/** Properties of a request that its span records. */
export interface TracedRequest {
  readonly method: string
  readonly route: string
  readonly headers: IncomingHttpHeaders
}

/** Span of a request. */
export interface RequestSpan {
  /** Runs a function in the context of the span, so that its database calls become children of the span. */
  run<T>(work: () => T): T
  /** Ends the span with the status of the reply. */
  end(status: number): void
}
