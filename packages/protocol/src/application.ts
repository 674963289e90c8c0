import Type, { type Static } from 'typebox'

/** Replies around applications that have asked for flags. Source: wire protocol */

const INSTANCE = {
  instanceId: Type.String(),
  environment: Type.String(),
  sdkVersion: Type.Union([Type.String(), Type.Null()]),
  clientIp: Type.Union([Type.String(), Type.Null()]),
  lastSeen: Type.String(),
}

/** One process of an application. */
export const ApplicationInstance = Type.Object(INSTANCE)

const APPLICATION = {
  appName: Type.String(),
  strategies: Type.Array(Type.String()),
  createdAt: Type.String(),
  lastSeen: Type.String(),
}

/** An application in a list, with where it runs. */
export const Application = Type.Object({
  ...APPLICATION,
  usage: Type.Array(Type.Object({ environment: Type.String(), instances: Type.Integer() })),
})
export type Application = Static<typeof Application>

/** Reply of the list of applications. */
export const Applications = Type.Object({ applications: Type.Array(Application), total: Type.Integer() })
export type Applications = Static<typeof Applications>

/** An application with its processes and the flags it asks for. */
export const ApplicationDetails = Type.Object({
  ...APPLICATION,
  instances: Type.Array(ApplicationInstance),
  seenToggles: Type.Array(Type.Object({ name: Type.String(), project: Type.Union([Type.String(), Type.Null()]) })),
})
export type ApplicationDetails = Static<typeof ApplicationDetails>

/** Reply of the processes of an application in an environment. */
export const ApplicationInstances = Type.Object({ instances: Type.Array(ApplicationInstance) })
