import { ApiError } from '../../api/http.ts'
import type { Texts } from '../../text/en.ts'
import { generalProblem } from '../../text/general-problem.ts'
import type { Undo } from './messages.tsx'

/** Loads what shows messages; the frame does so once the page is idle. */
const messages = () => import('./messages.tsx')

/** Says that something is done, with a way back where there is one. */
export function tellDone(message: string, undo?: Undo): void {
  void messages().then(({ showDone }) => showDone(message, undo))
}

/** Says that something was refused, and why. */
export function tellFailed(t: Texts, what: string, error: unknown): void {
  void Promise.all([messages(), sentenceOf(t, error)]).then(([{ showFailed }, sentence]) =>
    showFailed(t.errors.refused(what), sentence),
  )
}

/** Says that something was not done, and why, in words of our own. */
export function tellNotDone(t: Texts, what: string, why: string): void {
  void messages().then(({ showFailed }) => showFailed(t.errors.refused(what), why))
}

/** The reason as well as it can be told: what knows the reasons comes from the server, which may be away. */
async function sentenceOf(t: Texts, error: unknown): Promise<string> {
  const general = generalProblem(t, error)
  if (!(error instanceof ApiError) || error.isUnanswered) return general
  try {
    return (await import('../../text/problem.ts')).messageOf(t, error)
  } catch {
    return general
  }
}
