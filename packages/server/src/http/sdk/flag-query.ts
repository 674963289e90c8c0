import Type, { type Static } from 'typebox'
import type { FlagQuery } from '../../services/sdk/downloads.ts'
import type { Reach } from '../access/auth.ts'
import { listOf, OneOrMore, tagOf } from '../repeated-query.ts'
import { environmentOf } from './report-routes.ts'

/** What SDKs may ask for of the flags of their token. */
export const FeaturesQuery = Type.Object({
  project: Type.Optional(OneOrMore),
  namePrefix: Type.Optional(Type.String()),
  tag: Type.Optional(OneOrMore),
})

/** The token decides environment and projects; `project` narrows what it is for, and never widens it. */
export function wantedFlags(token: Reach, query: Static<typeof FeaturesQuery>): FlagQuery {
  return {
    environment: environmentOf(token),
    projects: projectsOf(token, listOf(query.project)),
    namePrefix: query.namePrefix,
    tags: listOf(query.tag).map(tagOf),
  }
}

/** Those of the token that are asked for; `*` asks for all, and so does nothing. */
function projectsOf({ projects }: Reach, query: readonly string[]): readonly string[] {
  const asked = [...new Set(query.filter((project) => project !== ''))]
  if (asked.length === 0 || asked.includes('*')) return projects
  return projects.includes('*') ? asked : asked.filter((project) => projects.includes(project))
}
