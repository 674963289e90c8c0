import { invalid } from '@burgee/kit/input/refusals'

const MOST_COMMENTS = 500
/** Maximum total length of all comments on one flag or change request. */
const MOST_CHARACTERS = 200_000

/** Comments that already exist on the same flag or change request. */
type Said = readonly { readonly text: string }[]

/** Returns true if there is room for another comment. */
export function takesComment(said: Said, comment: string): boolean {
  const characters = said.reduce((sum, { text }) => sum + text.length, comment.length)
  return said.length < MOST_COMMENTS && characters <= MOST_CHARACTERS
}

/** Throws ValidationError if there is no room. `what` names the commented object; the error message starts with it. */
export function requireRoom(said: Said, comment: string, what: string): void {
  if (takesComment(said, comment)) return
  const most = `${MOST_COMMENTS} comments of ${MOST_CHARACTERS} characters together`
  throw invalid(`${what} takes ${most} at most`, 'body')
}
