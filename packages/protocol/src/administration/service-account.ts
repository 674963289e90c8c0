import Type, { type Static } from 'typebox'
import { PersonalToken, User } from '../access.ts'
import { RowId } from '../row-id.ts'
import { Role } from '../user.ts'

/** Schemas for service accounts. Source: wire protocol */

const RootRole = RowId
const Name = Type.String({ maxLength: 200 })

/** Request body for a new service account. */
export const CreateServiceAccount = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' }),
  name: Type.Optional(Name),
  rootRole: RootRole,
})
export type CreateServiceAccount = Static<typeof CreateServiceAccount>

/**
 * Request body that changes a service account; omitted properties keep their stored values. The username cannot be
 * changed. Other properties of a service account are accepted and ignored, because forms send them.
 */
export const UpdateServiceAccount = Type.Object({ name: Type.Optional(Name), rootRole: Type.Optional(RootRole) })
export type UpdateServiceAccount = Static<typeof UpdateServiceAccount>

/** Service account with its tokens; the secrets of the tokens are not included. */
export const ServiceAccount = Type.Object({ ...User.properties, tokens: Type.Array(PersonalToken) })
export type ServiceAccount = Static<typeof ServiceAccount>

/** Response with the list of service accounts, and the roles that a service account can have. */
export const ServiceAccounts = Type.Object({
  serviceAccounts: Type.Array(ServiceAccount),
  rootRoles: Type.Array(Role),
})
