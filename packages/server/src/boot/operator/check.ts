/**
 * Status of a check. `fail`: a server could not work. `warn`: a server would work, but could fail later or behave
 * unexpectedly.
 */
export type CheckStatus = 'ok' | 'warn' | 'fail'

/** Result of one check. */
export interface Check {
  readonly name: string
  readonly status: CheckStatus
  /** One line with the result of the check and, if there is a problem, the remedy. */
  readonly detail: string
}

/** Result of a check, without the name of the check. */
export type Finding = Omit<Check, 'name'>

/** Runs a check. If the check throws, returns a result with the status `fail`. */
export async function runCheck(name: string, look: () => Finding | Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    return { name, status: 'fail', detail: error instanceof Error ? error.message : String(error) }
  }
}
