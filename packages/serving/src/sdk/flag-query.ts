import Type, { type Static } from 'typebox'
import type { FlagQuery } from './downloads.ts'
import { listOf, OneOrMore, tagOf } from './repeated-query.ts'

/** What SDKs may ask for of the flags of their token. */
export const FeaturesQuery = Type.Object({
  project: Type.Optional(OneOrMore),
  namePrefix: Type.Optional(Type.String()),
  tag: Type.Optional(OneOrMore),
})
export type FeaturesQuery = Static<typeof FeaturesQuery>

/** What a token is for. */
export interface FlagScope {
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

/** The token decides environment and projects; `project` narrows what it is for, and never widens it. */
export function wantedFlags({ environment, projects }: FlagScope, query: FeaturesQuery): FlagQuery {
  return {
    environment,
    projects: narrowed(projects, listOf(query.project)),
    namePrefix: query.namePrefix,
    tags: listOf(query.tag).map(tagOf),
  }
}

/** Those of the token that are asked for; `*` asks for all, and so does nothing. */
function narrowed(projects: readonly string[], query: readonly string[]): readonly string[] {
  const asked = [...new Set(query.filter((project) => project !== ''))]
  if (asked.length === 0 || asked.includes('*')) return projects
  return projects.includes('*') ? asked : asked.filter((project) => projects.includes(project))
}
