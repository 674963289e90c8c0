import { invalid } from '@burgee/kit/input/refusals'

/** Maximum number of changes in a request. */
export const MAX_CHANGES = 500
/** Maximum total length of a request's payloads, as JSON. */
export const MAX_CHARACTERS = 1_000_000

/** Throws ValidationError if a request would have too many changes, or if their payloads would be too long. */
export function requireWithinLimits(changes: readonly { readonly payload: unknown }[]): void {
  if (changes.length > MAX_CHANGES) throw invalid(`A change request can have at most ${MAX_CHANGES} changes`)
  const characters = changes.reduce((sum, { payload }) => sum + JSON.stringify(payload ?? null).length, 0)
  if (characters <= MAX_CHARACTERS) return
  const message = `The payloads of a change request can have at most ${MAX_CHARACTERS} characters, and would have ${characters}`
  throw invalid(message, 'body/payload')
}
