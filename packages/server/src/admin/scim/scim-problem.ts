import { Problem } from '@burgee/protocol/problem'

/** Error types of RFC 7644 §3.12. */
export type ScimReason = 'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'noTarget' | 'uniqueness'

/** Creates a ValidationError with a SCIM error type. */
export function scimInvalid(scimType: ScimReason, message: string): Problem {
  return new Problem('ValidationError', message, { extra: { scimType } })
}
