import { ApiError } from '../../api/http.ts'
import type { Texts } from '../../text/en.ts'
import { describeGeneralError } from '../../text/general-error.ts'
import type { UndoAction } from './message-list.tsx'

/** Loads the message component. The page frame loads the component when the page is idle. */
const loadMessages = () => import('./message-list.tsx')

/** Reports success, with an undo action if possible. */
export function showSuccess(message: string, undo?: UndoAction): void {
  void loadMessages().then(({ showDone }) => showDone(message, undo))
}

/** Reports that an action failed, with the reason. Reports nothing if the user has cancelled the action. */
export function showFailure(t: Texts, what: string, error: unknown): void {
  if (error instanceof ApiError && error.code === 'CancelledError') return
  void Promise.all([loadMessages(), describeReason(t, error)]).then(([{ showFailed }, sentence]) =>
    showFailed(t.errors.refused(what), sentence),
  )
}

/** Reports that an action was not performed, with the given reason. */
export function showFailureReason(t: Texts, what: string, why: string): void {
  void loadMessages().then(({ showFailed }) => showFailed(t.errors.refused(what), why))
}

/**
 * Returns the most specific error message available. The detailed messages must be loaded from the server, which may be
 * unreachable.
 */
async function describeReason(t: Texts, error: unknown): Promise<string> {
  const general = describeGeneralError(t, error)
  if (!(error instanceof ApiError) || error.isUnanswered) return general
  try {
    return (await import('../../text/error-message.ts')).describeError(t, error)
  } catch {
    return general
  }
}
