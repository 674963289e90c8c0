import Type, { type Static } from 'typebox'

/** Schemas for the status of projects and flags, and for their creators. Source: wire protocol */

/** Creator of a flag or an event. The id is the user's id, −42 for an API token, or −1337 for the server itself. */
export const Creator = Type.Object({ id: Type.Integer(), name: Type.String() })
export type Creator = Static<typeof Creator>

/** Response with creators, sorted by name. */
export const Creators = Type.Array(Creator)

/** Creator of a flag, with the URL of an image. */
export const FeatureCreator = Type.Object({ ...Creator.properties, imageUrl: Type.String() })
export type FeatureCreator = Static<typeof FeatureCreator>

/**
 * Owner of a project: a user or group that has the role Owner. If no user or group has this role, the system owns the
 * project.
 */
export const ProjectOwner = Type.Union([
  Type.Object({
    ownerType: Type.Literal('user'),
    name: Type.String(),
    email: Type.Union([Type.String(), Type.Null()]),
    imageUrl: Type.String(),
  }),
  Type.Object({ ownerType: Type.Literal('group'), name: Type.String() }),
  Type.Object({ ownerType: Type.Literal('system') }),
])
export type ProjectOwner = Static<typeof ProjectOwner>

/** Response of `GET /api/admin/lifecycle/count`: number of flags in each lifecycle stage. */
export const StageCounts = Type.Object({
  initial: Type.Integer(),
  preLive: Type.Integer(),
  live: Type.Integer(),
  completed: Type.Integer(),
  archived: Type.Integer(),
})
export type StageCounts = Static<typeof StageCounts>

/**
 * Average number of days that flags spent in a lifecycle stage, and the number of flags that are now in the stage. The
 * average includes only flags that have left the stage; it is null if there are none.
 */
const StageDurationSchema = Type.Object({
  averageDays: Type.Union([Type.Number(), Type.Null()]),
  currentFlags: Type.Integer(),
})
export type StageDuration = Static<typeof StageDurationSchema>

/** Response of `GET …/projects/{id}/status`. */
export const ProjectStatus = Type.Object({
  /** Days (UTC) in the last year on which there was at least one event, with the number of events. */
  activityCountByDate: Type.Array(Type.Object({ date: Type.String(), count: Type.Integer() })),
  resources: Type.Object({ apiTokens: Type.Integer(), members: Type.Integer(), segments: Type.Integer() }),
  /** Percentage of flags that are neither stale nor older than the expected lifetime of their type. */
  health: Type.Object({ current: Type.Integer() }),
  /** Percentage of all flags that are stale or older than the expected lifetime of their type. */
  technicalDebt: Type.Object({ current: Type.Integer() }),
  lifecycleSummary: Type.Object({
    initial: StageDurationSchema,
    preLive: StageDurationSchema,
    live: StageDurationSchema,
    completed: StageDurationSchema,
    archived: Type.Object({ currentFlags: Type.Integer(), last30Days: Type.Integer() }),
  }),
  staleFlags: Type.Object({ total: Type.Integer() }),
})
export type ProjectStatus = Static<typeof ProjectStatus>
