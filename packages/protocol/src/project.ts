import Type, { type Static } from 'typebox'
import { FeatureListItem } from './admin-feature.ts'
import { LinkTemplate, LinkTemplateInput, MAX_LINKS } from './administration/feature-link.ts'
import { ProjectOwner } from './administration/project-status.ts'
import { DefaultStrategy } from './targeting/strategy.ts'

/** Schemas for projects and environments. Source: wire protocol */

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const shortText = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))

const RULES_INPUT = {
  /**
   * New naming rule. Null, or a rule without a pattern, removes the naming rule. The pattern uses RE2 syntax and must
   * match the whole name.
   */
  featureNaming: Type.Optional(
    Type.Union([
      Type.Object({ pattern: shortText(500), example: shortText(100), description: shortText(5000) }),
      Type.Null(),
    ]),
  ),
  /** Maximum number of flags that are not archived; null means unlimited. */
  featureLimit: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.Null()])),
  /** New templates for links; null removes the templates. Each new flag gets one link from each template. */
  linkTemplates: Type.Optional(Type.Union([Type.Array(LinkTemplateInput, { maxItems: MAX_LINKS / 2 }), Type.Null()])),
}
const RulesInput = Type.Object(RULES_INPUT)
/** New rules for the flags of a project; omitted rules keep their stored values. */
export type FlagRulesInput = Static<typeof RulesInput>

const RULES = {
  featureNaming: Type.Object({ pattern: TextOrNull, example: TextOrNull, description: TextOrNull }),
  featureLimit: Type.Union([Type.Integer(), Type.Null()]),
  linkTemplates: Type.Array(LinkTemplate),
}
const Rules = Type.Object(RULES)
/** Rules for the flags of a project. */
export type FlagRules = Static<typeof Rules>

const Details = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
  mode: Type.Optional(Type.Enum(['open', 'protected', 'private'])),
  defaultStickiness: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...RULES_INPUT,
}

/**
 * Request body for a new project. If the id is omitted, the server derives one from the name. If environments are
 * omitted, the project uses all enabled environments. Null and an empty list count as omitted, because some clients
 * send them for lists that are not set.
 */
export const CreateProject = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...Details,
  environments: Type.Optional(
    Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1000 }), Type.Null()]),
  ),
})
export type CreateProject = Static<typeof CreateProject>

/** Request body that changes a project; omitted properties keep their stored values. The id cannot be changed. */
export const UpdateProject = Type.Object({ id: Type.Optional(Type.String()), ...Details })
export type UpdateProject = Static<typeof UpdateProject>

/** Request body that changes only the settings of a project; omitted settings keep their stored values. */
export const ProjectSettings = Type.Object({
  mode: Details.mode,
  defaultStickiness: Details.defaultStickiness,
  ...RULES_INPUT,
})
export type ProjectSettings = Static<typeof ProjectSettings>

const PROJECT = {
  id: Type.String(),
  name: Type.String(),
  description: TextOrNull,
  mode: Type.String(),
  defaultStickiness: Type.String(),
  createdAt: Type.String(),
  archivedAt: TextOrNull,
  ...RULES,
}

/**
 * Properties of a project that was just created or that is part of a list. `description` is omitted if there is none,
 * because typed clients expect a string if the property is present.
 */
const NEW_OR_LISTED = { ...PROJECT, description: Type.Optional(Type.String()) }

/** Newly created project. */
export const CreatedProject = Type.Object({ ...NEW_OR_LISTED, environments: Type.Array(Type.String()) })
export type CreatedProject = Static<typeof CreatedProject>

const COUNTS = {
  favorite: Type.Boolean(),
  /** Percentage of flags that are neither stale nor older than the expected lifetime of their type. */
  health: Type.Integer(),
}

/** Project in a list. */
export const Project = Type.Object({
  ...NEW_OR_LISTED,
  ...COUNTS,
  featureCount: Type.Integer(),
  staleFeatureCount: Type.Integer(),
  /** Number of flags that are older than the expected lifetime of their type but not marked as stale. */
  potentiallyStaleFeatureCount: Type.Integer(),
  /**
   * Average number of days from the creation of a flag until it was first on in production. Includes only flags for
   * which both times are known.
   */
  avgTimeToProduction: Type.Number(),
  /** Time of the last event in the project. */
  updatedAt: Type.String(),
  memberCount: Type.Integer(),
  environments: Type.Array(Type.String()),
  owners: Type.Array(ProjectOwner),
})
export type Project = Static<typeof Project>

/** Response with the list of projects. */
export const Projects = Type.Object({ version: Type.Integer(), projects: Type.Array(Project) })

/**
 * Activity in a project in the last 30 days (current window) and in the 30 days before that (past window), computed
 * from its events.
 */
export const ProjectStats = Type.Object({
  /**
   * Average number of days from the creation of a flag until it was first on in production, for flags that were first
   * on in production in the current window.
   */
  avgTimeToProdCurrentWindow: Type.Number(),
  createdCurrentWindow: Type.Integer(),
  createdPastWindow: Type.Integer(),
  archivedCurrentWindow: Type.Integer(),
  archivedPastWindow: Type.Integer(),
  /** Number of events of all types in the current window. */
  projectActivityCurrentWindow: Type.Integer(),
  projectActivityPastWindow: Type.Integer(),
  projectMembersAddedCurrentWindow: Type.Integer(),
})
export type ProjectStats = Static<typeof ProjectStats>

const OVERVIEW = {
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
  stats: ProjectStats,
}

/** Response with an overview of a project. */
export const ProjectOverview = Type.Object(OVERVIEW)
export type ProjectOverview = Static<typeof ProjectOverview>

const DETAILS = { ...OVERVIEW, features: Type.Array(FeatureListItem) }

/** Project with its flags that are not archived. */
export const ProjectDetails = Type.Object(DETAILS)
export type ProjectDetails = Static<typeof ProjectDetails>

const HEALTH = { activeCount: Type.Integer(), potentiallyStaleCount: Type.Integer(), staleCount: Type.Integer() }

/**
 * Project with its flags, and the counts from which its health is computed. `activeCount` is the number of flags that
 * are neither stale nor overdue.
 */
export const HealthReport = Type.Object({ ...DETAILS, ...HEALTH })
export type HealthReport = Static<typeof HealthReport>

/**
 * Response of `GET …/projects/{id}/dora`: number of days from the creation of each flag until it was first on in
 * production, for flags for which both times are known.
 */
export const LeadTimes = Type.Object({
  projectAverage: Type.Number(),
  features: Type.Array(Type.Object({ name: Type.String(), timeToProduction: Type.Number() })),
})
export type LeadTimes = Static<typeof LeadTimes>

/** Statistics of a project, computed from its flags, members and events. */
export const ProjectInsights = Type.Object({
  stats: ProjectStats,
  featureTypeCounts: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() })),
  health: Type.Object({ rating: Type.Integer(), ...HEALTH }),
  leadTime: LeadTimes,
  /** `change`: number of members added in the last 30 days. */
  members: Type.Object({ currentMembers: Type.Integer(), change: Type.Integer() }),
})
export type ProjectInsights = Static<typeof ProjectInsights>

/** Request body for checking whether a project id is available. */
export const ProjectId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })

/** Environment in a list. */
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

/** Response with the list of environments. */
export const Environments = Type.Object({ version: Type.Integer(), environments: Type.Array(Environment) })
