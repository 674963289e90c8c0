import Type, { type Static } from 'typebox'

/**
 * Request header with which an edge subscribes to token changes when it opens a flag stream. Only edges send this
 * header.
 */
export const TOKEN_CHANGES_HEADER = 'burgee-token-changes'

/** Name of the events that report token changes. */
export const TOKEN_CHANGES_EVENT = 'burgee-token-changes'

/** SHA-256 hashes of tokens, in hexadecimal. */
const hashes = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }))

/** Data of an event that reports token changes. */
export const TokenChanges = Type.Object({
  /** Tokens that were deleted or have expired. */
  revoked: hashes,
  /** Tokens whose projects have changed or may have changed. */
  changed: hashes,
  /** True if the stream may have missed changes, so that every token must be revalidated. */
  all: Type.Boolean(),
})
export type TokenChanges = Static<typeof TokenChanges>
