/** How a check went: a failure keeps a server from working, a warning will, or may surprise. */
export type CheckStatus = 'ok' | 'warn' | 'fail'

/** One thing that was looked at. */
export interface Check {
  readonly name: string
  readonly status: CheckStatus
  /** One line: what was found, and what to do where something is to be done. */
  readonly detail: string
}

/** What a check found, without its name. */
export type Finding = Omit<Check, 'name'>

/** Runs one check; what it throws is its failure. */
export async function checked(name: string, look: () => Finding | Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    return { name, status: 'fail', detail: error instanceof Error ? error.message : String(error) }
  }
}
