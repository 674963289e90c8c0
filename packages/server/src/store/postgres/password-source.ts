import { DatabaseUnavailable } from '../errors.ts'

type Password = string | Promise<string>

/** The function that returns the password has failed. Its own error may hold secrets: it is in the log only. */
class PasswordUnavailable extends DatabaseUnavailable {
  constructor() {
    super('The password for the database could not be obtained')
  }
}

/**
 * Returns what wraps a function for the password of a new connection. A failure, or a result that is no text, rejects
 * with DatabaseUnavailable, so that it is tried again like a database that is away; each reason is logged once in a row.
 */
export function passwordChecker(warn: (line: string) => void) {
  let lastReason: string | undefined
  const ask = async (source: () => Password): Promise<string> => {
    try {
      const password: unknown = await source()
      if (typeof password !== 'string' || password === '') throw new TypeError('it returned no text')
      lastReason = undefined
      return password
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== lastReason) warn(`The function for the database password failed: ${reason}`)
      lastReason = reason
      throw new PasswordUnavailable()
    }
  }
  return (source: () => Password) => () => ask(source)
}
