import Type, { type Static } from 'typebox'

/** Schemas for the clients that use an API token. Burgee extension. */

const Text = Type.Union([Type.String(), Type.Null()])

/**
 * Request body for reading which clients use a token. A caller who knows the secret of the token needs no further
 * authorization.
 */
export const TokenSecret = Type.Object(
  { secret: Type.String({ minLength: 1, maxLength: 500 }) },
  { additionalProperties: false },
)
export type TokenSecret = Static<typeof TokenSecret>

/** Client that last used a token, and the usage that the application of this client has reported since then. */
export const TokenConnection = Type.Object({
  tokenName: Type.String(),
  type: Type.String(),
  environment: Type.String(),
  projects: Type.Array(Type.String()),
  expiresAt: Text,
  seenAt: Text,
  /**
   * Client, with the name and version that its SDK reported; null if the token has not been used since the server began
   * to record clients.
   */
  caller: Type.Union([
    Type.Object({ appName: Text, instanceId: Text, sdkVersion: Text, seenAt: Type.String() }),
    Type.Null(),
  ]),
  /**
   * Usage that applications with the same name as the client's application have reported in the environment, since the
   * start of the hour before the one in which the token was last used. Contains only a limited number of flags, the
   * first in alphabetical order. `project` is null if no flag has this name.
   */
  flags: Type.Array(
    Type.Object({
      name: Type.String(),
      project: Text,
      exists: Type.Boolean(),
      yes: Type.Integer(),
      no: Type.Integer(),
    }),
  ),
})
export type TokenConnection = Static<typeof TokenConnection>
