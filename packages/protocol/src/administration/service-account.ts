import Type, { type Static } from 'typebox'
import { PersonalToken, User } from '../access.ts'
import { Role } from '../user.ts'

/** Bodies around accounts of programs. Source: wire protocol */

const RootRole = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const Name = Type.String({ maxLength: 200 })

/** Body of a new account. */
export const CreateServiceAccount = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' }),
  name: Type.Optional(Name),
  rootRole: RootRole,
})
export type CreateServiceAccount = Static<typeof CreateServiceAccount>

/** Body that changes an account; what is left out stays, and so does the username. Forms send more of it along. */
export const UpdateServiceAccount = Type.Object({ name: Type.Optional(Name), rootRole: Type.Optional(RootRole) })
export type UpdateServiceAccount = Static<typeof UpdateServiceAccount>

/** An account with its tokens, without their secrets. */
export const ServiceAccount = Type.Object({ ...User.properties, tokens: Type.Array(PersonalToken) })
export type ServiceAccount = Static<typeof ServiceAccount>

/** Reply of the list of accounts, with the roles they may have. */
export const ServiceAccounts = Type.Object({
  serviceAccounts: Type.Array(ServiceAccount),
  rootRoles: Type.Array(Role),
})
