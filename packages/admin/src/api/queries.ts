import { type FlagRef, flag } from './flags.ts'
import { environments, projects } from './projects.ts'
import { segments } from './segments.ts'
import { contextFields } from './strategies.ts'

const RARELY_MS = 30_000

/** All environments. */
export const ENVIRONMENTS = { queryKey: ['environments'], queryFn: environments, staleTime: RARELY_MS } as const

/** All projects. */
export const PROJECTS = { queryKey: ['projects'], queryFn: projects, staleTime: RARELY_MS } as const

/** All segments. */
export const SEGMENTS = { queryKey: ['segments'], queryFn: segments } as const

/** Context fields. */
export const FIELDS = { queryKey: ['context-fields'], queryFn: contextFields, staleTime: RARELY_MS } as const

/** One flag. */
export const flagQuery = (ref: FlagRef) => ({
  queryKey: ['flag', ref.project, ref.feature],
  queryFn: () => flag(ref),
})
