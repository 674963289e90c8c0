import Type, { type Static } from 'typebox'

/** What is known of whoever uses an API token; additions of this server. */

const Text = Type.Union([Type.String(), Type.Null()])

/** Body of the question who uses a token: whoever has its secret may know. */
export const TokenSecret = Type.Object(
  { secret: Type.String({ minLength: 1, maxLength: 500 }) },
  { additionalProperties: false },
)
export type TokenSecret = Static<typeof TokenSecret>

/** Who used a token last, and what that application has counted since. */
export const TokenConnection = Type.Object({
  tokenName: Type.String(),
  type: Type.String(),
  environment: Type.String(),
  projects: Type.Array(Type.String()),
  expiresAt: Text,
  seenAt: Text,
  /** As it says itself; null where it has not been used since callers are noted. */
  caller: Type.Union([
    Type.Object({ appName: Text, instanceId: Text, sdkVersion: Text, seenAt: Type.String() }),
    Type.Null(),
  ]),
  /**
   * The first names by alphabet that applications of that name have counted there since the hour before that; the project is
   * null where there is no such flag.
   */
  flags: Type.Array(
    Type.Object({
      ...{ name: Type.String(), project: Text, exists: Type.Boolean() },
      ...{ yes: Type.Integer(), no: Type.Integer() },
    }),
  ),
})
export type TokenConnection = Static<typeof TokenConnection>
