import Type, { type Static } from 'typebox'
import { DefaultStrategy, Environment } from './project.ts'

/** Bodies around environments, of the installation and of projects. Source: wire protocol */

const EnvironmentType = Type.String({ minLength: 1, maxLength: 100 })

/** Position in lists, lowest first. */
export const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })

/** Body that asks whether an environment could have this name. */
export const EnvironmentName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })

/** Body of a new environment; without sort order it comes after all others. */
export const CreateEnvironment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  type: EnvironmentType,
  sortOrder: Type.Optional(SortOrder),
  enabled: Type.Optional(Type.Boolean()),
})
export type CreateEnvironment = Static<typeof CreateEnvironment>

/**
 * Body that makes an environment of another one. Of its projects all go along (`*`, none, or left out), or those that are
 * named; flags are off in the new one unless `cloneEnabled` says that they are on where they are on in the other.
 */
export const CloneEnvironment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  type: EnvironmentType,
  projects: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1000 })),
  /** Rights that roles have in the other one are given in the new one too. */
  clonePermissions: Type.Optional(Type.Boolean()),
  /** Strategies with their segments; left out: yes. An addition. */
  cloneStrategies: Type.Optional(Type.Boolean()),
  /** Left out: no. Only together with strategies. An addition. */
  cloneEnabled: Type.Optional(Type.Boolean()),
})
export type CloneEnvironment = Static<typeof CloneEnvironment>

/** Body that changes an environment; what is left out stays. */
export const UpdateEnvironment = Type.Object({
  type: Type.Optional(EnvironmentType),
  sortOrder: Type.Optional(SortOrder),
})
export type UpdateEnvironment = Static<typeof UpdateEnvironment>

/** Body that orders environments: sort order by name. */
export const SortOrders = Type.Record(Type.String(), SortOrder)
export type SortOrders = Static<typeof SortOrders>

/** An environment as a project sees it: `visible` where the project uses it. */
export const ProjectEnvironment = Type.Object({
  ...Type.Pick(Environment, ['name', 'type', 'sortOrder', 'enabled', 'protected']).properties,
  visible: Type.Boolean(),
  projectApiTokenCount: Type.Integer(),
  projectEnabledToggleCount: Type.Integer(),
  defaultStrategy: Type.Optional(DefaultStrategy),
})
export type ProjectEnvironment = Static<typeof ProjectEnvironment>

/** Reply of the environments of a project. */
export const ProjectEnvironments = Type.Object({
  version: Type.Integer(),
  environments: Type.Array(ProjectEnvironment),
})

/** Body that gives a project an environment. */
export const AddEnvironment = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 100 }),
  defaultStrategy: Type.Optional(DefaultStrategy),
})
export type AddEnvironment = Static<typeof AddEnvironment>
