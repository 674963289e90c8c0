import { DatabaseUnavailable } from '../../errors.ts'

type Password = string | Promise<string>

/** Thrown if the password function fails. The original error may contain secrets, so it is logged but not included. */
class PasswordUnavailable extends DatabaseUnavailable {
  constructor() {
    super('The password for the database could not be obtained')
  }
}

/**
 * Wraps a function that returns the password for each new connection. If the function fails, or returns anything but a
 * non-empty string, the wrapper rejects with DatabaseUnavailable, so that the caller retries as if the database were
 * down. Repeated failures for the same reason are logged only once.
 */
export function createPasswordChecker(warn: (line: string) => void) {
  let lastReason: string | undefined
  const ask = async (source: () => Password): Promise<string> => {
    try {
      const password: unknown = await source()
      if (typeof password !== 'string' || password === '') throw new TypeError('it returned no string')
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
