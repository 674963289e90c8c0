/** Describes an error and its causes on one line. The description is meant for the log, not for callers. */
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
 * Describes an error, ignoring its cause. If a host has several addresses and no connection succeeds, the
 * AggregateError has no message of its own.
 */
function describeSingleError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeSingleError).join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Returns the system error code of an error or of its cause (such as `ECONNREFUSED`), or undefined. */
export function findErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : findErrorCode(error.cause)
}
