import { invalid } from '@burgee/kit/input/refusals'

const MOST_COMMENTS = 500
/** Maximum total length of all comments. */
const MOST_CHARACTERS = 200_000

/** Existing comments. */
type Said = readonly { readonly text: string }[]

/** Returns true if there is room for another comment. */
export function takesComment(said: Said, comment: string): boolean {
  const characters = said.reduce((sum, { text }) => sum + text.length, comment.length)
  return said.length < MOST_COMMENTS && characters <= MOST_CHARACTERS
}

/** Throws ValidationError if there is no room. `what` is the subject of the message, at the beginning of a sentence. */
export function requireRoom(said: Said, comment: string, what: string): void {
  if (takesComment(said, comment)) return
  const most = `${MOST_COMMENTS} comments of ${MOST_CHARACTERS} characters together`
  throw invalid(`${what} takes ${most} at most`, 'body')
}
