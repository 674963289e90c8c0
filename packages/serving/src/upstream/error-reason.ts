/** Describes an error and its causes in one line. Only for the log, not for callers. */
export function describeError(error: unknown): string {
  const words: string[] = []
  for (
    let at: unknown = error;
    at !== undefined && words.length < MAX_CAUSES;
    at = at instanceof Error ? at.cause : undefined
  ) {
    words.push(describeSingleError(at))
  }
  const [reason, ...causes] = words
  return causes.length === 0 ? `${reason}` : `${reason} (${causes.join(': ')})`
}

const MAX_CAUSES = 4

/**
 * Describes an error without its cause. If a host has several addresses, the AggregateError of the failed connections
 * has no message.
 */
function describeSingleError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeSingleError).join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Returns the platform's code of an error or its cause (`ECONNREFUSED`), or undefined. */
export function findErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : findErrorCode(error.cause)
}
