import Type, { type Static } from 'typebox'
import { FeatureListItem } from './admin-feature.ts'
import { LinkTemplate, LinkTemplateInput, MOST_LINKS } from './administration/feature-link.ts'
import { ProjectOwner } from './administration/project-status.ts'
import { NO_IGNORED_RESTRICTION } from './targeting/restriction.ts'
import { StrategyInput } from './targeting/strategy.ts'

/** Bodies around projects and environments. Source: wire protocol */

/** What a flag gets that is turned on without a strategy; never disabled. */
export const DefaultStrategy = Type.Omit(StrategyInput, ['sortOrder'], NO_IGNORED_RESTRICTION)
export type DefaultStrategy = Static<typeof DefaultStrategy>

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const shortText = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))

const RULES_INPUT = {
  /** Replaces the naming before; null, or without a pattern: none. The pattern is RE2, and holds for the whole name. */
  featureNaming: Type.Optional(
    Type.Union([
      Type.Object({ pattern: shortText(500), example: shortText(100), description: shortText(5000) }),
      Type.Null(),
    ]),
  ),
  /** Flags that are not archived; null for any number. */
  featureLimit: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.Null()])),
  /** Replaces the templates before; null: none. Flags to come have a link of each. */
  linkTemplates: Type.Optional(Type.Union([Type.Array(LinkTemplateInput, { maxItems: MOST_LINKS / 2 }), Type.Null()])),
}
const RulesInput = Type.Object(RULES_INPUT)
/** What a project is to want of its flags; what is left out stays. */
export type FlagRulesInput = Static<typeof RulesInput>

const RULES = {
  featureNaming: Type.Object({ pattern: TextOrNull, example: TextOrNull, description: TextOrNull }),
  featureLimit: Type.Union([Type.Integer(), Type.Null()]),
  linkTemplates: Type.Array(LinkTemplate),
}
const Rules = Type.Object(RULES)
/** What a project wants of its flags. */
export type FlagRules = Static<typeof Rules>

const Details = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
  mode: Type.Optional(Type.Enum(['open', 'protected', 'private'])),
  defaultStickiness: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...RULES_INPUT,
}

/**
 * Body of a new project. Without id it gets one from its name; without environments, or with none of them (null, or an
 * empty list, as clients with optional lists send it), all that are on.
 */
export const CreateProject = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...Details,
  environments: Type.Optional(
    Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1000 }), Type.Null()]),
  ),
})
export type CreateProject = Static<typeof CreateProject>

/** Body that changes a project; what is left out stays, as its id does. */
export const UpdateProject = Type.Object({ id: Type.Optional(Type.String()), ...Details })
export type UpdateProject = Static<typeof UpdateProject>

/** Body of the settings of a project alone; what is left out stays. */
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

/** Without a description it has no such key here: clients of fixed types take what is there as text. */
const NEW_OR_LISTED = { ...PROJECT, description: Type.Optional(Type.String()) }

/** A project that was just made. */
export const CreatedProject = Type.Object({ ...NEW_OR_LISTED, environments: Type.Array(Type.String()) })
export type CreatedProject = Static<typeof CreatedProject>

const COUNTS = {
  favorite: Type.Boolean(),
  /** Share of flags, in percent, that are neither stale nor older than their type lives. */
  health: Type.Integer(),
}

/** A project in a list. */
export const Project = Type.Object({
  ...NEW_OR_LISTED,
  ...COUNTS,
  featureCount: Type.Integer(),
  staleFeatureCount: Type.Integer(),
  /** Older than their type lives, and not stale. */
  potentiallyStaleFeatureCount: Type.Integer(),
  /** Days from a flag's creation until it was first on in production; flags of which that is known. */
  avgTimeToProduction: Type.Number(),
  /** When anything last happened in it. */
  updatedAt: Type.String(),
  memberCount: Type.Integer(),
  environments: Type.Array(Type.String()),
  owners: Type.Array(ProjectOwner),
})
export type Project = Static<typeof Project>

/** Reply of the list of projects. */
export const Projects = Type.Object({ version: Type.Integer(), projects: Type.Array(Project) })

/**
 * What happened in a project within the last 30 days (current window) and the 30 before (past window), counted from its
 * events.
 */
export const ProjectStats = Type.Object({
  /** Days from a flag's creation until it was first on in production, of those that were so in the current window. */
  avgTimeToProdCurrentWindow: Type.Number(),
  createdCurrentWindow: Type.Integer(),
  createdPastWindow: Type.Integer(),
  archivedCurrentWindow: Type.Integer(),
  archivedPastWindow: Type.Integer(),
  /** Events of any type. */
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

/** Reply of the overview of a project. */
export const ProjectOverview = Type.Object(OVERVIEW)
export type ProjectOverview = Static<typeof ProjectOverview>

const DETAILS = { ...OVERVIEW, features: Type.Array(FeatureListItem) }

/** A project with its flags that are not archived. */
export const ProjectDetails = Type.Object(DETAILS)
export type ProjectDetails = Static<typeof ProjectDetails>

const HEALTH = { activeCount: Type.Integer(), potentiallyStaleCount: Type.Integer(), staleCount: Type.Integer() }

/** A project with its flags, and how many of them are well. `activeCount` are those that are neither of the others. */
export const HealthReport = Type.Object({ ...DETAILS, ...HEALTH })
export type HealthReport = Static<typeof HealthReport>

/** Reply of `GET …/projects/{id}/dora`: days from creation until first on in production; flags of which that is known. */
export const LeadTimes = Type.Object({
  projectAverage: Type.Number(),
  features: Type.Array(Type.Object({ name: Type.String(), timeToProduction: Type.Number() })),
})
export type LeadTimes = Static<typeof LeadTimes>

/** What can be told of a project from its flags, people and events. */
export const ProjectInsights = Type.Object({
  stats: ProjectStats,
  featureTypeCounts: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() })),
  health: Type.Object({ rating: Type.Integer(), ...HEALTH }),
  leadTime: LeadTimes,
  /** `change`: people that were added in the last 30 days. */
  members: Type.Object({ currentMembers: Type.Integer(), change: Type.Integer() }),
})
export type ProjectInsights = Static<typeof ProjectInsights>

/** Body that asks whether a project could have this id. */
export const ProjectId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })

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
