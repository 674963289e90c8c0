/** Describes an error and its causes in one line, for the log and not for callers. */
export function reasonOf(error: unknown): string {
  const words: string[] = []
  for (
    let at: unknown = error;
    at !== undefined && words.length < DEEPEST;
    at = at instanceof Error ? at.cause : undefined
  ) {
    words.push(wordOf(at))
  }
  const [reason, ...causes] = words
  return causes.length === 0 ? `${reason}` : `${reason} (${causes.join(': ')})`
}

const DEEPEST = 4

/**
 * Describes an error without its cause. An AggregateError of failed connections to several addresses has no message of
 * its own.
 */
function wordOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordOf).join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Returns the platform's code of an error or its cause (`ECONNREFUSED`), or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}
