import Type, { type Static } from 'typebox'

/** How projects and their flags are doing, and who made them. Source: wire protocol */

/** Somebody who made a flag, or whose events there are: a person, −42 an API token, −1337 the server itself. */
export const Creator = Type.Object({ id: Type.Integer(), name: Type.String() })
export type Creator = Static<typeof Creator>

/** Reply of lists of them, by name. */
export const Creators = Type.Array(Creator)

/** Who made a flag, with a picture. */
export const FeatureCreator = Type.Object({ ...Creator.properties, imageUrl: Type.String() })
export type FeatureCreator = Static<typeof FeatureCreator>

/** Who owns a project: people and groups with the role Owner, or else the installation. */
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

/** Reply of `GET /api/admin/lifecycle/count`: how many flags are in which stage. */
export const StageCounts = Type.Object({
  initial: Type.Integer(),
  preLive: Type.Integer(),
  live: Type.Integer(),
  completed: Type.Integer(),
  archived: Type.Integer(),
})
export type StageCounts = Static<typeof StageCounts>

/** Days that flags stay in a stage on average, of those that have left it (null: of none), and how many are in it now. */
const Stay = Type.Object({
  averageDays: Type.Union([Type.Number(), Type.Null()]),
  currentFlags: Type.Integer(),
})
export type StageStay = Static<typeof Stay>

/** Reply of `GET …/projects/{id}/status`. */
export const ProjectStatus = Type.Object({
  /** Days (UTC) of the last year on which something happened, with how much. */
  activityCountByDate: Type.Array(Type.Object({ date: Type.String(), count: Type.Integer() })),
  resources: Type.Object({ apiTokens: Type.Integer(), members: Type.Integer(), segments: Type.Integer() }),
  /** Share of flags, in percent, that are neither stale nor older than their type lives. */
  health: Type.Object({ current: Type.Integer() }),
  /** The others, in percent. */
  technicalDebt: Type.Object({ current: Type.Integer() }),
  lifecycleSummary: Type.Object({
    initial: Stay,
    preLive: Stay,
    live: Stay,
    completed: Stay,
    archived: Type.Object({ currentFlags: Type.Integer(), last30Days: Type.Integer() }),
  }),
  staleFlags: Type.Object({ total: Type.Integer() }),
})
export type ProjectStatus = Static<typeof ProjectStatus>
