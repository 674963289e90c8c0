import { DatabaseUnavailable } from '../../errors.ts'

type Password = string | Promise<string>

/** Thrown if the password function fails. The original error can contain secrets, so the error is only logged. */
class PasswordUnavailable extends DatabaseUnavailable {
  constructor() {
    super('The password for the database could not be obtained')
  }
}

/**
 * Returns a wrapper for functions that return the password of a new connection. If the function fails or returns
 * anything but a non-empty string, the wrapper rejects with DatabaseUnavailable, so that the caller retries as if the
 * database were down. Repeated failures with the same reason are logged once.
 */
export function createPasswordChecker(warn: (line: string) => void) {
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
