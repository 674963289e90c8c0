import { invalid } from '@burgee/kit/input/refusals'

/**
 * Refuses names of environments and projects that do not survive in a URL and in a token: letters, digits and `~_.-`
 * are fine; `*` means all of them, `.` and `..` are resolved by URLs. Throws ValidationError. Source: wire protocol
 */
export function requireKey(property: 'name' | 'id', value: string): void {
  if (/^[A-Za-z0-9~_.-]+$/.test(value) && value !== '.' && value !== '..') return
  throw invalid(`"${property}" must be URL friendly. You provided "${value}".`, `body/${property}`)
}
