import { Problem } from '@burgee/protocol/problem'

/** A business rule that the request breaks; `path` names the offending property (`body/name`). 400. */
export function invalid(text: string, path?: string): Problem {
  const where = path === undefined ? {} : { path }
  return new Problem('ValidationError', `The request is not valid: ${text}`, { details: [{ message: text, ...where }] })
}

/** Nothing there, or nothing that the caller may know of. 404. */
export function notFound(text: string): Problem {
  return new Problem('NotFoundError', text)
}

/**
 * Refuses names that do not survive in a URL as they are, or that a URL would resolve (`.` and `..`). 400.
 * Source: the wire's rule encodeURIComponent(name) === name.
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
    return false // half of a surrogate pair
  }
}
