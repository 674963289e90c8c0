import { invalid } from '@burgee/kit/input/refusals'

/**
 * Rejects names of environments and projects that are unsafe in a URL or a token. Letters, digits and `~_.-` are
 * allowed. `*` is not allowed because it means all environments or projects; `.` and `..` are not allowed because URLs
 * resolve them. Throws ValidationError. Source: wire protocol
 */
export function requireKey(property: 'name' | 'id', value: string): void {
  if (/^[A-Za-z0-9~_.-]+$/.test(value) && value !== '.' && value !== '..') return
  throw invalid(`"${property}" must be URL friendly. You provided "${value}".`, `body/${property}`)
}
