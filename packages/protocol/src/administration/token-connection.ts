import Type, { type Static } from 'typebox'

/** Schemas for the clients of an API token. Burgee extension. */

const Text = Type.Union([Type.String(), Type.Null()])

/** Body that requests the clients of a token. A caller who knows the secret needs no further authorization. */
export const TokenSecret = Type.Object(
  { secret: Type.String({ minLength: 1, maxLength: 500 }) },
  { additionalProperties: false },
)
export type TokenSecret = Static<typeof TokenSecret>

/** Last client of a token, with the usage that the application of the client has reported since then. */
export const TokenConnection = Type.Object({
  tokenName: Type.String(),
  type: Type.String(),
  environment: Type.String(),
  projects: Type.Array(Type.String()),
  expiresAt: Text,
  seenAt: Text,
  /**
   * Client, with the name and version that it has reported; null if the token has not been used since the server began
   * to record clients.
   */
  caller: Type.Union([
    Type.Object({ appName: Text, instanceId: Text, sdkVersion: Text, seenAt: Type.String() }),
    Type.Null(),
  ]),
  /**
   * Usage that applications with the name of the client's application have reported in the environment, from the
   * preceding hour on. Contains only the first flags in alphabetical order. `project` is null if the flag does not
   * exist.
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
