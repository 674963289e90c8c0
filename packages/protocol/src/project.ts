import Type, { type Static } from 'typebox'
import { StrategyInput } from './admin.ts'

/** Bodies around projects and environments. Source: wire protocol */

/** What a flag gets that is turned on without a strategy; never disabled. */
export const DefaultStrategy = Type.Omit(StrategyInput, ['sortOrder'])
export type DefaultStrategy = Static<typeof DefaultStrategy>

const TextOrNull = Type.Union([Type.String(), Type.Null()])
const Details = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
  mode: Type.Optional(Type.Enum(['open', 'protected', 'private'])),
  defaultStickiness: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}

/** Body of a new project. Without id it gets one from its name, without environments all that are on. */
export const CreateProject = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...Details,
  environments: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 1000 }),
  ),
})
export type CreateProject = Static<typeof CreateProject>

/** Body that changes a project; what is left out stays, as its id does. */
export const UpdateProject = Type.Object({ id: Type.Optional(Type.String()), ...Details })
export type UpdateProject = Static<typeof UpdateProject>

const PROJECT = {
  id: Type.String(),
  name: Type.String(),
  description: TextOrNull,
  mode: Type.String(),
  defaultStickiness: Type.String(),
  createdAt: Type.String(),
  archivedAt: TextOrNull,
}

/** A project that was just made. */
export const CreatedProject = Type.Object({ ...PROJECT, environments: Type.Array(Type.String()) })
export type CreatedProject = Static<typeof CreatedProject>

const COUNTS = {
  favorite: Type.Boolean(),
  /** Share of flags, in percent, that are neither stale nor older than their type lives. */
  health: Type.Integer(),
}

/** A project in a list. */
export const Project = Type.Object({
  ...PROJECT,
  ...COUNTS,
  featureCount: Type.Integer(),
  memberCount: Type.Integer(),
  environments: Type.Array(Type.String()),
})
export type Project = Static<typeof Project>

/** Reply of the list of projects. */
export const Projects = Type.Object({ version: Type.Integer(), projects: Type.Array(Project) })

/** Reply of the overview of a project. */
export const ProjectOverview = Type.Object({
  version: Type.Integer(),
  ...PROJECT,
  ...COUNTS,
  members: Type.Integer(),
  featureTypeCounts: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() })),
  archivedFeatureCount: Type.Integer(),
  environments: Type.Array(
    Type.Object({ environment: Type.String(), defaultStrategy: Type.Optional(DefaultStrategy) }),
  ),
  updatedAt: Type.String(),
})
export type ProjectOverview = Static<typeof ProjectOverview>

/** An environment in a list. */
export const Environment = Type.Object({
  name: Type.String(),
  type: Type.String(),
  sortOrder: Type.Integer(),
  enabled: Type.Boolean(),
  protected: Type.Boolean(),
  projectCount: Type.Integer(),
  apiTokenCount: Type.Integer(),
  enabledToggleCount: Type.Integer(),
})
export type Environment = Static<typeof Environment>

/** Reply of the list of environments. */
export const Environments = Type.Object({ version: Type.Integer(), environments: Type.Array(Environment) })
