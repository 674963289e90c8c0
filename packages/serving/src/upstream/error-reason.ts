/** Says in one line what went wrong, with the causes behind it; for the log, not for callers. */
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

/** A failed connection to several addresses has no message of its own. */
function wordOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordOf).join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}

/** The code that the platform gave an error or its cause (`ECONNREFUSED`); undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}
