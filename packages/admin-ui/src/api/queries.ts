import { fetchContextFields } from './context-fields.ts'
import { fetchEventCreators } from './events.ts'
import { type FlagRef, fetchFeatureTypes, fetchFlag } from './flags.ts'
import { fetchEnvironments, fetchProjects } from './projects.ts'
import { fetchSegments } from './segments.ts'
import { fetchStrategyTypes } from './strategy-types.ts'
import { fetchTagTypes } from './tag-types.ts'
import { fetchUsages, type UsedResource } from './usages.ts'

const RARELY_CHANGED_STALE_MS = 30_000

/** Query for all environments. */
export const ENVIRONMENTS = {
  queryKey: ['environments'],
  queryFn: fetchEnvironments,
  staleTime: RARELY_CHANGED_STALE_MS,
} as const

/** Query for the authors of all events. */
export const EVENT_CREATORS = {
  queryKey: ['events', 'creators'],
  queryFn: fetchEventCreators,
  staleTime: RARELY_CHANGED_STALE_MS,
} as const

/** Query for all projects. */
export const PROJECTS = { queryKey: ['projects'], queryFn: fetchProjects, staleTime: RARELY_CHANGED_STALE_MS } as const

/** Query for all segments. */
export const SEGMENTS = { queryKey: ['segments'], queryFn: fetchSegments } as const

/** Query for all context fields. */
export const FIELDS = {
  queryKey: ['context-fields'],
  queryFn: fetchContextFields,
  staleTime: RARELY_CHANGED_STALE_MS,
} as const

/** Query for all strategy types, built-in types first. */
export const STRATEGY_TYPES = {
  queryKey: ['strategy-types'],
  queryFn: fetchStrategyTypes,
  staleTime: RARELY_CHANGED_STALE_MS,
} as const

/** Query for all flag types. */
export const FEATURE_TYPES = {
  queryKey: ['feature-types'],
  queryFn: fetchFeatureTypes,
  staleTime: RARELY_CHANGED_STALE_MS,
} as const

/** Query for all tag types. */
export const TAG_TYPES = {
  queryKey: ['tag-types'],
  queryFn: fetchTagTypes,
  staleTime: RARELY_CHANGED_STALE_MS,
} as const

/** Returns the query for the strategies that use a resource. */
export const getUsagesQuery = (used: UsedResource) => ({
  queryKey: ['uses', used.kind, used.id],
  queryFn: () => fetchUsages(used),
})

/** Returns the query for one flag. */
export const getFlagQuery = (ref: FlagRef) => ({
  queryKey: ['flag', ref.project, ref.feature],
  queryFn: () => fetchFlag(ref),
})
