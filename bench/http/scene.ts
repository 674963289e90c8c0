/** How the requests of a slice look. */
export interface Scene {
  readonly method: 'GET' | 'POST'
  /** The same few contexts again and again, or one that never came before each time. */
  readonly contexts: 'repeated' | 'different'
  /** `If-None-Match` with the tag of the last answer to this context, or with a stale one where contexts differ. */
  readonly isConditional: boolean
  readonly isCompressed: boolean
}

/** How many contexts come again and again. */
export const REPEATED_CONTEXTS = 20

/** Every kind of request; a condition has no meaning for POST. */
export const SCENES: readonly Scene[] = (['GET', 'POST'] as const).flatMap((method) =>
  (['different', 'repeated'] as const).flatMap((contexts) =>
    (method === 'GET' ? [false, true] : [false]).flatMap((isConditional) =>
      [false, true].map((isCompressed) => ({ method, contexts, isConditional, isCompressed })),
    ),
  ),
)

/** A scene in a few words, for tables. */
export function describeScene({ method, contexts, isConditional, isCompressed }: Scene): string {
  const extras = [isConditional ? 'If-None-Match' : '', isCompressed ? 'gzip' : ''].filter((text) => text !== '')
  return [method, contexts, ...extras].join(', ')
}

/** What the generator is told to do. */
export interface Slice {
  readonly port: number
  readonly scene: Scene
  readonly durationMs: number
  /** Goes on until so many were answered, however long it takes. */
  readonly leastRequests: number
  readonly connections: number
  /** First context of a slice of different ones, so that no slice repeats another's. */
  readonly firstContext: number
}

/** What the generator saw. Times are in microseconds, from sending a request to the end of its response. */
export interface SliceResult {
  readonly requests: number
  readonly elapsedMs: number
  readonly statuses: Readonly<Record<string, number>>
  /** Of bodies, as they went over the wire. */
  readonly bodyBytes: number
  readonly p50Us: number
  readonly p99Us: number
  /** What generating cost. */
  readonly cpuUs: number
}
