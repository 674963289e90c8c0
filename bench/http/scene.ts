/** Kind of request that a slice sends. */
export interface Scene {
  readonly method: 'GET' | 'POST'
  /** Choice of contexts: a few contexts that repeat, or a new context for each request. */
  readonly contexts: 'repeated' | 'different'
  /**
   * True to send `If-None-Match`. The ETag is the last one received for the context, or a stale one if every request
   * has a new context.
   */
  readonly isConditional: boolean
  readonly isCompressed: boolean
}

/** Number of repeating contexts. */
export const REPEATED_CONTEXTS = 20

/** All kinds of requests; there are no conditional POST requests. */
export const SCENES: readonly Scene[] = (['GET', 'POST'] as const).flatMap((method) =>
  (['different', 'repeated'] as const).flatMap((contexts) =>
    (method === 'GET' ? [false, true] : [false]).flatMap((isConditional) =>
      [false, true].map((isCompressed) => ({ method, contexts, isConditional, isCompressed })),
    ),
  ),
)

/** Describes a scene for tables. */
export function describeScene({ method, contexts, isConditional, isCompressed }: Scene): string {
  const extras = [isConditional ? 'If-None-Match' : '', isCompressed ? 'gzip' : ''].filter((text) => text !== '')
  return [method, contexts, ...extras].join(', ')
}

/** Instructions for the generator. */
export interface Slice {
  readonly port: number
  readonly scene: Scene
  readonly durationMs: number
  /** Minimum number of responses; the slice continues until it is reached. */
  readonly leastRequests: number
  readonly connections: number
  /** Number of the first context if every request has a new one, so that slices do not repeat each other's contexts. */
  readonly firstContext: number
}

/** Observations of the generator. Times are in microseconds, from sending a request to the end of its response. */
export interface SliceResult {
  readonly requests: number
  readonly elapsedMs: number
  readonly statuses: Readonly<Record<string, number>>
  /** Total size of bodies on the wire. */
  readonly bodyBytes: number
  readonly p50Us: number
  readonly p99Us: number
  /** CPU time of the generator. */
  readonly cpuUs: number
}
