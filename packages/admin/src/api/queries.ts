import { contextFields } from './context-fields.ts'
import { type FlagRef, featureTypes, flag } from './flags.ts'
import { environments, projects } from './projects.ts'
import { segments } from './segments.ts'
import { strategyTypes } from './strategy-types.ts'
import { tagTypes } from './tag-types.ts'
import { type Used, usesOf } from './uses.ts'

const RARELY_MS = 30_000

/** All environments. */
export const ENVIRONMENTS = { queryKey: ['environments'], queryFn: environments, staleTime: RARELY_MS } as const

/** All projects. */
export const PROJECTS = { queryKey: ['projects'], queryFn: projects, staleTime: RARELY_MS } as const

/** All segments. */
export const SEGMENTS = { queryKey: ['segments'], queryFn: segments } as const

/** Context fields. */
export const FIELDS = { queryKey: ['context-fields'], queryFn: contextFields, staleTime: RARELY_MS } as const

/** Types of strategies: the built-in ones, then people's own. */
export const STRATEGY_TYPES = { queryKey: ['strategy-types'], queryFn: strategyTypes, staleTime: RARELY_MS } as const

/** Types of flags. */
export const FEATURE_TYPES = { queryKey: ['feature-types'], queryFn: featureTypes, staleTime: RARELY_MS } as const

/** Types of tags. */
export const TAG_TYPES = { queryKey: ['tag-types'], queryFn: tagTypes, staleTime: RARELY_MS } as const

/** Strategies that use something. */
export const usesQuery = (used: Used) => ({ queryKey: ['uses', used.kind, used.id], queryFn: () => usesOf(used) })

/** One flag. */
export const flagQuery = (ref: FlagRef) => ({
  queryKey: ['flag', ref.project, ref.feature],
  queryFn: () => flag(ref),
})
