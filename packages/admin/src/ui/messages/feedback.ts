import { ApiError } from '../../api/http.ts'
import type { Texts } from '../../text/en.ts'
import { generalProblem } from '../../text/general-problem.ts'
import type { Undo } from './messages.tsx'

/** Loads the message component. The frame does so when the page is idle. */
const messages = () => import('./messages.tsx')

/** Reports success, with an undo action if possible. */
export function tellDone(message: string, undo?: Undo): void {
  void messages().then(({ showDone }) => showDone(message, undo))
}

/** Reports that an action failed, with the reason. */
export function tellFailed(t: Texts, what: string, error: unknown): void {
  void Promise.all([messages(), sentenceOf(t, error)]).then(([{ showFailed }, sentence]) =>
    showFailed(t.errors.refused(what), sentence),
  )
}

/** Reports that an action was not performed, with a custom reason. */
export function tellNotDone(t: Texts, what: string, why: string): void {
  void messages().then(({ showFailed }) => showFailed(t.errors.refused(what), why))
}

/** Returns the most specific reason available: detailed texts are loaded from the server, which may be unreachable. */
async function sentenceOf(t: Texts, error: unknown): Promise<string> {
  const general = generalProblem(t, error)
  if (!(error instanceof ApiError) || error.isUnanswered) return general
  try {
    return (await import('../../text/problem.ts')).messageOf(t, error)
  } catch {
    return general
  }
}
