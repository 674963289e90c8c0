import Type, { type Static } from 'typebox'

/** Bodies around projects and environments. Source: wire protocol */

/** A project in a list. */
export const Project = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  mode: Type.String(),
  defaultStickiness: Type.String(),
  favorite: Type.Boolean(),
  featureCount: Type.Integer(),
  environments: Type.Array(Type.String()),
  createdAt: Type.String(),
})
export type Project = Static<typeof Project>

/** Reply of the list of projects. */
export const Projects = Type.Object({ version: Type.Integer(), projects: Type.Array(Project) })

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
