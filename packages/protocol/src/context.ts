/**
 * Evaluation context: properties of the caller that flags are evaluated for. Source: spec "Evaluation context".
 *
 * A field is first looked up at the top level, then in `properties`. Values that are not strings are converted to
 * strings during evaluation, so a context that comes from JSON needs no conversion.
 */
export interface Context {
  readonly appName?: string | undefined
  readonly environment?: string | undefined
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly remoteAddress?: string | undefined
  /** Current time for date constraints; the default is the clock of the process. */
  readonly currentTime?: Date | string | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly [other: string]: unknown
}

/**
 * Context fields that every SDK knows. Any other name at the top level is treated as a property. Source: spec
 * "Evaluation context".
 */
export const CONTEXT_FIELDS = ['appName', 'currentTime', 'environment', 'remoteAddress', 'sessionId', 'userId'] as const
