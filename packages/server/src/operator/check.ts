/** Status of a check: `fail` keeps a server from working, `warn` will do so later or may cause surprises. */
export type CheckStatus = 'ok' | 'warn' | 'fail'

/** Result of one check. */
export interface Check {
  readonly name: string
  readonly status: CheckStatus
  /** One line: the finding, and what to do about it, if anything. */
  readonly detail: string
}

/** Finding of a check, without its name. */
export type Finding = Omit<Check, 'name'>

/** Runs a check; an error that it throws becomes a failure. */
export async function checked(name: string, look: () => Finding | Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    return { name, status: 'fail', detail: error instanceof Error ? error.message : String(error) }
  }
}
