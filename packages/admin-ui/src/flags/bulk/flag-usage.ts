import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { useQueries } from '@tanstack/react-query'
import { fetchUsage } from '../../api/flags.ts'

const DAY_HOURS = 24
const DAY_MS = 86_400_000
/** Maximum number of flags whose evaluations are counted. */
const MAX_COUNTED = 30
const FRESH_MS = 60_000

/** Usage of a flag in the last 24 hours. */
export interface FlagUsage {
  readonly flag: FeatureListItem
  /** Number of evaluations; undefined until they have been counted. */
  readonly evaluations: number | undefined
  /** True if code has evaluated the flag. */
  readonly isUsed: boolean
}

/** Returns true if a flag was evaluated in the last 24 hours before `now`. */
export const isRecentlyEvaluated = ({ lastSeenAt }: Pick<FeatureListItem, 'lastSeenAt'>, now: number): boolean =>
  lastSeenAt !== null && now - new Date(lastSeenAt).getTime() < DAY_MS

/** Returns the usage of each flag. Flags in use come first. */
export function useFlagUsage(flags: readonly FeatureListItem[]): readonly FlagUsage[] {
  const counted = flags.slice(0, MAX_COUNTED)
  const answers = useQueries({
    queries: counted.map(({ name }) => ({
      queryKey: ['usage-of-day', name],
      queryFn: async () => (await fetchUsage(name, DAY_HOURS)).data.reduce((sum, { yes, no }) => sum + yes + no, 0),
      staleTime: FRESH_MS,
    })),
  })
  const now = Date.now()
  const usages = flags.map((flag, index) => {
    const evaluations = answers[index]?.data
    return { flag, evaluations, isUsed: (evaluations ?? 0) > 0 || isRecentlyEvaluated(flag, now) }
  })
  return usages.toSorted((a, b) => Number(b.isUsed) - Number(a.isUsed))
}
