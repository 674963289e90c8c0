/**
 * Evaluation context: the properties of the caller for which flags are evaluated. Source: spec "Evaluation context".
 *
 * Fields are read from the top level first, then from `properties`. The rules convert values that are not strings to
 * text, so a context from JSON needs no conversion.
 */
export interface Context {
  readonly appName?: string | undefined
  readonly environment?: string | undefined
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly remoteAddress?: string | undefined
  /** Current time for date constraints; defaults to the clock of the process. */
  readonly currentTime?: Date | string | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly [other: string]: unknown
}

/** Context fields that every SDK knows. Every other top-level name is a property. Source: spec "Evaluation context". */
export const CONTEXT_FIELDS = ['appName', 'currentTime', 'environment', 'remoteAddress', 'sessionId', 'userId'] as const
