import Type, { type Static } from 'typebox'

/** Schemas for the clients of an API token. Burgee extension. */

const Text = Type.Union([Type.String(), Type.Null()])

/** Body that requests the clients of a token. Knowing the secret is sufficient authorization. */
export const TokenSecret = Type.Object(
  { secret: Type.String({ minLength: 1, maxLength: 500 }) },
  { additionalProperties: false },
)
export type TokenSecret = Static<typeof TokenSecret>

/** Last client of a token, and the usage that its application has reported since then. */
export const TokenConnection = Type.Object({
  tokenName: Type.String(),
  type: Type.String(),
  environment: Type.String(),
  projects: Type.Array(Type.String()),
  expiresAt: Text,
  seenAt: Text,
  /** Client as it identifies itself; null if the token has not been used since callers are recorded. */
  caller: Type.Union([
    Type.Object({ appName: Text, instanceId: Text, sdkVersion: Text, seenAt: Type.String() }),
    Type.Null(),
  ]),
  /**
   * Usage reported by applications of that name in the environment, from the hour before that on. Only the first flags
   * in alphabetical order. `project` is null if the flag does not exist.
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
