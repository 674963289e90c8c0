import { MAX_SCIM_MEMBERS, MAX_SCIM_TEXT_LENGTH } from '@burgee/protocol/administration/scim'
import type { ScimStep } from './patch-steps.ts'
import { scimInvalid } from './scim-problem.ts'

/** Returns the SCIM ids in the value of an operation on members. Throws ValidationError. */
export function parseMemberIds(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map((one: { value?: unknown } | null) => {
    const id = one?.value
    if (typeof id === 'string' && id.length <= MAX_SCIM_TEXT_LENGTH) return id
    throw scimInvalid(
      'invalidValue',
      `Members are identified by \`value\`, a string of at most ${MAX_SCIM_TEXT_LENGTH} characters.`,
    )
  })
}

/** Throws ValidationError if the operations of a request name more members in total than one request may change. */
export function requireFewMembers(steps: readonly ScimStep[]): void {
  let count = 0
  for (const { attribute, value } of steps) {
    if (attribute === 'members') count += Array.isArray(value) ? value.length : 1
  }
  if (count <= MAX_SCIM_MEMBERS) return
  throw scimInvalid(
    'invalidValue',
    `The operations of a request can name at most ${MAX_SCIM_MEMBERS} \`members\`; these name ${count}.`,
  )
}
