import { MAX_SCIM_TEXT_LENGTH } from '@burgee/protocol/administration/scim'
import { scimInvalid } from './scim-problem.ts'

/**
 * Returns the external id of a user or group in a patch operation, which has no schema. The limit equals the limit of
 * requests that create or replace a resource. Throws ValidationError.
 */
export function parseExternalId(value: unknown): string | null {
  if (value === null) return null
  if (typeof value === 'string' && value.length <= MAX_SCIM_TEXT_LENGTH) return value
  throw scimInvalid(
    'invalidValue',
    `The \`externalId\` property must be a string of at most ${MAX_SCIM_TEXT_LENGTH} characters.`,
  )
}
