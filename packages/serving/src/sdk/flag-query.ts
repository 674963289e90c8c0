import Type, { type Static } from 'typebox'
import type { FlagQuery } from './downloads.ts'
import { OneOrMore, parseTag, toList } from './repeated-query.ts'

/** Query parameters that restrict the flags of a token further. */
export const FeaturesQuery = Type.Object({
  project: Type.Optional(OneOrMore),
  namePrefix: Type.Optional(Type.String()),
  tag: Type.Optional(OneOrMore),
})
export type FeaturesQuery = Static<typeof FeaturesQuery>

/** Scope of a token. */
export interface FlagScope {
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

/**
 * Returns the query for a token's flags. The token determines environment and projects. The `project` parameter can
 * only narrow the projects of the token.
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
 * Returns the requested projects that are in the token's scope. `*` or an empty list requests all projects of the
 * token.
 */
function narrowProjects(projects: readonly string[], query: readonly string[]): readonly string[] {
  const requested = [...new Set(query.filter((project) => project !== ''))]
  if (requested.length === 0 || requested.includes('*')) return projects
  return projects.includes('*') ? requested : requested.filter((project) => projects.includes(project))
}
