import Type, { type Static } from 'typebox'
import { PersonalToken, User } from '../access.ts'
import { Role } from '../user.ts'

/** Schemas for service accounts. Source: wire protocol */

const RootRole = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const Name = Type.String({ maxLength: 200 })

/** Body of a new service account. */
export const CreateServiceAccount = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' }),
  name: Type.Optional(Name),
  rootRole: RootRole,
})
export type CreateServiceAccount = Static<typeof CreateServiceAccount>

/**
 * Body that changes a service account; omitted fields keep their values. The username cannot change. Other properties
 * of a service account are ignored, because forms send them.
 */
export const UpdateServiceAccount = Type.Object({ name: Type.Optional(Name), rootRole: Type.Optional(RootRole) })
export type UpdateServiceAccount = Static<typeof UpdateServiceAccount>

/** Service account with its tokens, without their secrets. */
export const ServiceAccount = Type.Object({ ...User.properties, tokens: Type.Array(PersonalToken) })
export type ServiceAccount = Static<typeof ServiceAccount>

/** Response of the list of service accounts, with the roles that they can have. */
export const ServiceAccounts = Type.Object({
  serviceAccounts: Type.Array(ServiceAccount),
  rootRoles: Type.Array(Role),
})
