import { invalid } from '@burgee/kit/input/refusals'

const MOST_COMMENTS = 500
/** Of all of them together. */
const MOST_CHARACTERS = 200_000

/** What was said already. */
type Said = readonly { readonly text: string }[]

/** Whether there is room for another comment beside those that are there. */
export function takesComment(said: Said, comment: string): boolean {
  const characters = said.reduce((sum, { text }) => sum + text.length, comment.length)
  return said.length < MOST_COMMENTS && characters <= MOST_CHARACTERS
}

/** Throws ValidationError where there is none; `what` takes comments, as a sentence begins with it. */
export function requireRoom(said: Said, comment: string, what: string): void {
  if (takesComment(said, comment)) return
  const most = `${MOST_COMMENTS} comments of ${MOST_CHARACTERS} characters together`
  throw invalid(`${what} takes ${most} at most`, 'body')
}
