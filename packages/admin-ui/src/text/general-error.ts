import { ApiError } from '../api/http.ts'
import type { Texts } from './en.ts'

const NOT_FOUND = 404
const SERVER_ERROR = 500

/**
 * Describes an error by its name, or by its status if the name is unknown. The description never contains text from the
 * server.
 */
export function describeGeneralError(t: Texts, error: unknown): string {
  if (!(error instanceof ApiError)) return t.errors.fault
  const { problems, errors } = t
  if (error.isTimeout) return problems.late
  if (error.isUnanswered) return errors.offline
  if (error.isLoggedOut) return problems.loggedOut
  const { code, status, body } = error
  const byName: Readonly<Record<string, string>> = {
    ValidationError: problems.invalid,
    PasswordWeakError: problems.weak,
    PasswordMismatch: problems.mismatch,
    InvalidTokenError: problems.link,
    NoAccessError: problems.noAccess,
    InvalidOperationError: problems.forbidden,
    NotFoundError: problems.gone,
    NameExistsError: problems.exists,
    ConflictError: problems.conflict,
    PreconditionFailedError: problems.changed,
    PayloadTooLargeError: problems.tooLarge,
    RateLimitError: problems.tooMany,
    CancelledError: problems.cancelled,
  }
  const own = Object.hasOwn(byName, code) ? byName[code] : undefined
  if (own !== undefined) return own
  if (status === NOT_FOUND) return problems.gone
  if (status === SERVER_ERROR) return body.id === undefined ? problems.failed : problems.failedAs(body.id)
  return status > SERVER_ERROR ? problems.away : problems.other(String(status))
}
