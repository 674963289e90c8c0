import { contextFields } from './context-fields.ts'
import { type FlagRef, featureTypes, flag } from './flags.ts'
import { environments, projects } from './projects.ts'
import { segments } from './segments.ts'
import { strategyTypes } from './strategy-types.ts'
import { tagTypes } from './tag-types.ts'
import { type Used, usesOf } from './uses.ts'

const RARELY_MS = 30_000

/** Query for all environments. */
export const ENVIRONMENTS = { queryKey: ['environments'], queryFn: environments, staleTime: RARELY_MS } as const

/** Query for all projects. */
export const PROJECTS = { queryKey: ['projects'], queryFn: projects, staleTime: RARELY_MS } as const

/** Query for all segments. */
export const SEGMENTS = { queryKey: ['segments'], queryFn: segments } as const

/** Query for all context fields. */
export const FIELDS = { queryKey: ['context-fields'], queryFn: contextFields, staleTime: RARELY_MS } as const

/** Query for all strategy types, built-in types first. */
export const STRATEGY_TYPES = { queryKey: ['strategy-types'], queryFn: strategyTypes, staleTime: RARELY_MS } as const

/** Query for all flag types. */
export const FEATURE_TYPES = { queryKey: ['feature-types'], queryFn: featureTypes, staleTime: RARELY_MS } as const

/** Query for all tag types. */
export const TAG_TYPES = { queryKey: ['tag-types'], queryFn: tagTypes, staleTime: RARELY_MS } as const

/** Returns the query for the strategies that use a resource. */
export const usesQuery = (used: Used) => ({ queryKey: ['uses', used.kind, used.id], queryFn: () => usesOf(used) })

/** Returns the query for one flag. */
export const flagQuery = (ref: FlagRef) => ({
  queryKey: ['flag', ref.project, ref.feature],
  queryFn: () => flag(ref),
})
