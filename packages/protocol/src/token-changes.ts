import Type, { type Static } from 'typebox'

/** Request header by which an edge asks a stream of flags for changes of tokens as well. Other clients never send it. */
export const TOKEN_CHANGES_HEADER = 'burgee-token-changes'

/** Name of the events that tell of changes of tokens. */
export const TOKEN_CHANGES_EVENT = 'burgee-token-changes'

/** SHA-256 of a token, as hex digits. */
const hashes = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }))

/** Data of an event that tells of changes of tokens. */
export const TokenChanges = Type.Object({
  /** Tokens that were deleted or have expired. */
  revoked: hashes,
  /** Tokens that are now for other projects, or may be. */
  changed: hashes,
  /** True if changes may have been missed, so that every token must be validated again. */
  all: Type.Boolean(),
})
export type TokenChanges = Static<typeof TokenChanges>
