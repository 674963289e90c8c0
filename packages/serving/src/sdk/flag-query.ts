import Type, { type Static } from 'typebox'
import type { FlagQuery } from './downloads.ts'
import { OneOrMore, parseTag, toList } from './repeated-query.ts'

/** Query parameters that further restrict the flags of a token. */
export const FeaturesQuery = Type.Object({
  project: Type.Optional(OneOrMore),
  namePrefix: Type.Optional(Type.String()),
  tag: Type.Optional(OneOrMore),
})
export type FeaturesQuery = Static<typeof FeaturesQuery>

/** Environment and projects that a token gives access to. */
export interface FlagScope {
  readonly environment: string
  /** Project ids; `['*']` means all projects. */
  readonly projects: readonly string[]
}

/**
 * Returns the query for the flags that a token gives access to. The environment and the projects come from the token.
 * The `project` parameter can only narrow down the projects of the token.
 */
export function toFlagQuery({ environment, projects }: FlagScope, query: FeaturesQuery): FlagQuery {
  return {
    environment,
    projects: narrowProjects(projects, toList(query.project)),
    namePrefix: query.namePrefix,
    tags: toList(query.tag).map(parseTag),
  }
}

/**
 * Returns the requested projects that the token gives access to. `*` or an empty list requests all projects that the
 * token gives access to.
 */
function narrowProjects(projects: readonly string[], query: readonly string[]): readonly string[] {
  const requested = [...new Set(query.filter((project) => project !== ''))]
  if (requested.length === 0 || requested.includes('*')) return projects
  return projects.includes('*') ? requested : requested.filter((project) => projects.includes(project))
}
