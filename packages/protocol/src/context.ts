/**
 * What a caller tells about itself; features are evaluated for one context. Source: spec "Evaluation context".
 *
 * Fields are looked up at top level first, then in `properties`. Values of other types than string are turned into
 * text where a rule reads them, so a context from JSON needs no cleaning.
 */
export interface Context {
  readonly appName?: string | undefined
  readonly environment?: string | undefined
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly remoteAddress?: string | undefined
  /** When "now" is, for date constraints; the clock of the process by default. */
  readonly currentTime?: Date | string | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly [other: string]: unknown
}

/** The context fields every SDK knows; any other top-level name is a property. Source: spec "Evaluation context". */
export const CONTEXT_FIELDS = ['appName', 'currentTime', 'environment', 'remoteAddress', 'sessionId', 'userId'] as const
export type ContextField = (typeof CONTEXT_FIELDS)[number]
