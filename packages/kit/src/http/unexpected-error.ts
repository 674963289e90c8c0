import type { Logger } from '../log/logger.ts'
import type { Throttle } from '../throttle.ts'
import type { Caller } from './route.ts'
import { getPath } from './url-parts.ts'

const TEXT = 'Something went wrong. The log has the details'

/**
 * Logs an unexpected error during a request, at most once a minute per method and path. Returns the error text for the
 * caller, which contains the id of the log line if a line was written.
 */
export function logUnexpectedError(
  { logger, throttle }: { readonly logger: Logger; readonly throttle: Throttle },
  error: unknown,
  caller: Caller,
): string {
  const request = `${caller.method} ${getPath(caller.url)}`
  const more = throttle.pass(request)
  if (more === undefined) return `${TEXT}.`
  const id = crypto.randomUUID()
  logger.error(`${request} failed (${id})${more}`, error)
  return `${TEXT} under the id ${id}.`
}
