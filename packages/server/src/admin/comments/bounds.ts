import { invalid } from '@burgee/kit/input/refusals'

const MAX_COMMENTS = 500
/** Maximum total length of all comments on one flag or change request. */
const MAX_CHARACTERS = 200_000

/** Existing comments on the same flag or change request. */
type ExistingComments = readonly { readonly text: string }[]

/** Returns true if there is room for another comment. */
export function hasRoomFor(existing: ExistingComments, comment: string): boolean {
  const characters = existing.reduce((sum, { text }) => sum + text.length, comment.length)
  return existing.length < MAX_COMMENTS && characters <= MAX_CHARACTERS
}

/**
 * Throws ValidationError if there is no room for another comment. `what` names the commented object at the start of the
 * message.
 */
export function requireRoom(comments: ExistingComments, comment: string, what: string): void {
  if (hasRoomFor(comments, comment)) return
  const most = `${MAX_COMMENTS} comments of ${MAX_CHARACTERS} characters together`
  throw invalid(`${what} takes at most ${most}`, 'body')
}
