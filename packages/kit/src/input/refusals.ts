import { Problem } from '@burgee/protocol/problem'

/**
 * Creates a ValidationError (400) for a violated business rule. `path` is the property that violates the rule, such as
 * `body/name`.
 */
export function invalid(text: string, path?: string): Problem {
  const where = path === undefined ? {} : { path }
  return new Problem('ValidationError', `The request is not valid: ${text}`, { details: [{ message: text, ...where }] })
}

/** Creates a NotFoundError (404) for an object that does not exist or is hidden from the caller. */
export function notFound(text: string): Problem {
  return new Problem('NotFoundError', text)
}

/**
 * Rejects names that a URL would encode or resolve (`.` and `..`), with a ValidationError (400). Source: the wire
 * protocol, which requires encodeURIComponent(name) === name.
 */
export function requireUrlFriendly(name: string, path: string): void {
  if (isUrlFriendly(name)) return
  throw invalid(`"name" must be URL friendly. You provided "${name}".`, path)
}

function isUrlFriendly(name: string): boolean {
  if (name === '.' || name === '..') return false
  try {
    return encodeURIComponent(name) === name
  } catch {
    return false // lone surrogate
  }
}
