import Type, { type Static } from 'typebox'
import { Environment } from './project.ts'
import { DefaultStrategy } from './targeting/strategy.ts'

/** Schemas for environments, in general and within a project. Source: wire protocol */

const EnvironmentType = Type.String({ minLength: 1, maxLength: 100 })

/** Position in lists; the lowest comes first. */
export const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })

/** Request body for checking whether an environment name is available. */
export const EnvironmentName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })

/** Request body for a new environment. If the sort order is omitted, the environment comes last. */
export const CreateEnvironment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  type: EnvironmentType,
  sortOrder: Type.Optional(SortOrder),
  enabled: Type.Optional(Type.Boolean()),
})
export type CreateEnvironment = Static<typeof CreateEnvironment>

/**
 * Request body that clones an environment. `projects` names the projects whose configuration is cloned; if it is
 * omitted, empty or `*`, all projects are included. Flags are off in the clone. With `cloneEnabled`, flags that are on
 * in the source environment are also on in the clone.
 */
export const CloneEnvironment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  type: EnvironmentType,
  projects: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1000 })),
  /** True to give roles the same permissions in the clone as in the source environment. */
  clonePermissions: Type.Optional(Type.Boolean()),
  /** True (the default) to copy strategies and their references to segments. Burgee extension. */
  cloneStrategies: Type.Optional(Type.Boolean()),
  /**
   * True to turn on in the clone the flags that are on in the source environment; the default is false. Requires
   * `cloneStrategies`. Burgee extension.
   */
  cloneEnabled: Type.Optional(Type.Boolean()),
})
export type CloneEnvironment = Static<typeof CloneEnvironment>

/** Request body that changes an environment; omitted properties keep their stored values. */
export const UpdateEnvironment = Type.Object({
  type: Type.Optional(EnvironmentType),
  sortOrder: Type.Optional(SortOrder),
})
export type UpdateEnvironment = Static<typeof UpdateEnvironment>

/** Request body with the new sort order of environments, by name. */
export const SortOrders = Type.Record(Type.String(), SortOrder)
export type SortOrders = Static<typeof SortOrders>

/**
 * Projects, tokens and roles that were affected by the deletion of an environment. Burgee extension: clients may ignore
 * it.
 */
export const EnvironmentRemoval = Type.Object({
  name: Type.String(),
  /** Projects that used the environment, each with the number of flags that were configured in it. */
  projects: Type.Array(Type.Object({ id: Type.String(), configuredFlags: Type.Integer() })),
  /** API tokens of the environment, which are no longer valid. */
  apiTokens: Type.Array(
    Type.Object({ tokenName: Type.String(), type: Type.String(), projects: Type.Array(Type.String()) }),
  ),
  /** Names of the roles that had permissions in the environment. */
  roles: Type.Array(Type.String()),
})
export type EnvironmentRemoval = Static<typeof EnvironmentRemoval>

/** Environment from the point of view of a project. `visible` is true if the project uses the environment. */
export const ProjectEnvironment = Type.Object({
  ...Type.Pick(Environment, ['name', 'type', 'sortOrder', 'enabled', 'protected']).properties,
  visible: Type.Boolean(),
  projectApiTokenCount: Type.Integer(),
  projectEnabledToggleCount: Type.Integer(),
  defaultStrategy: Type.Optional(DefaultStrategy),
})
export type ProjectEnvironment = Static<typeof ProjectEnvironment>

/** Response with the environments of a project. */
export const ProjectEnvironments = Type.Object({
  version: Type.Integer(),
  environments: Type.Array(ProjectEnvironment),
})

/** Request body that adds an environment to a project. */
export const AddEnvironment = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 100 }),
  defaultStrategy: Type.Optional(DefaultStrategy),
})
export type AddEnvironment = Static<typeof AddEnvironment>
