import { invalid } from '@burgee/kit/input/refusals'

/**
 * Throws ValidationError for a string with a lone surrogate, anywhere in a part of a request. Some SDKs cannot parse a
 * document that contains such a string, and would have no flags of the environment.
 *
 * @param path of the part, as in `body/constraints`
 */
export function requireWellFormed(part: unknown, path: string): void {
  if (typeof part === 'string') {
    if (!part.isWellFormed()) throw invalid('A text must not hold half of a surrogate pair', path)
    return
  }
  if (typeof part !== 'object' || part === null) return
  for (const [name, inner] of Object.entries(part)) {
    requireWellFormed(name, path)
    requireWellFormed(inner, `${path}/${name}`)
  }
}
