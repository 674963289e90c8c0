import { invalid } from '@burgee/kit/input/refusals'

/**
 * Throws ValidationError for a string with a lone surrogate anywhere in the given part of a request. Some SDKs cannot
 * parse a document that contains such a string, and would get no flags of the environment at all.
 *
 * @param path path of the checked part, such as `body/constraints`
 */
export function requireWellFormed(part: unknown, path: string): void {
  const found = findLoneSurrogate(part)
  if (found !== undefined) throw invalid('A string must not contain an unpaired surrogate', `${path}${found}`)
}

/**
 * Returns the path of the first string with a lone surrogate, relative to the given part: `/title`, for example, or an
 * empty path for the part itself and for property names. For well-formed strings, no path is built, because bodies may
 * be large.
 */
function findLoneSurrogate(part: unknown): string | undefined {
  if (typeof part === 'string') return part.isWellFormed() ? undefined : ''
  if (typeof part !== 'object' || part === null) return undefined
  for (const [name, inner] of Object.entries(part)) {
    if (!name.isWellFormed()) return ''
    const found = findLoneSurrogate(inner)
    if (found !== undefined) return `/${name}${found}`
  }
  return undefined
}
