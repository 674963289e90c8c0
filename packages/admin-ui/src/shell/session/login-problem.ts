import { ApiError } from '../../api/http.ts'
import type { Texts } from '../../text/en.ts'
import { describeGeneralError } from '../../text/general-error.ts'

const TOO_MANY = 429

/** Returns the reason for a failed login, as text for the user. */
export function describeLoginProblem(t: Texts, error: Error): string {
  if (error instanceof ApiError && error.status === TOO_MANY) return t.login.tooMany
  if (error instanceof ApiError && error.code === 'PasswordMismatch') return t.login.wrong
  return describeGeneralError(t, error)
}
