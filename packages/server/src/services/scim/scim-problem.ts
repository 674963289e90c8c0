import { Problem } from '@burgee/protocol/problem'

/** Why a request cannot be carried out, by the words of RFC 7644 §3.12. */
export type ScimReason = 'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'noTarget' | 'uniqueness'

/** A ValidationError that says so. */
export function scimInvalid(scimType: ScimReason, message: string): Problem {
  return new Problem('ValidationError', message, { extra: { scimType } })
}
