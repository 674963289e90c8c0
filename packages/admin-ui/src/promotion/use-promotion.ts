import type { FlagState, PlannedFlag, PromotedPart, PromotionPlan } from '@burgee/protocol/administration/promotion'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { useMutation } from '@tanstack/react-query'
import type { EnvironmentRef } from '../api/change-requests.ts'
import { ApiError } from '../api/http.ts'
import { useRefetch } from '../api/use-refetch.ts'
import type { LiveEdit } from '../go-live/flag-edit.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { useGuardCheck } from '../proposals/guard.ts'
import { useReportProposal } from '../proposals/use-propose.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { showFailure, showFailureReason, showSuccess } from '../ui/messages/feedback.ts'
import { promote, undoPromotion } from './promotion-calls.ts'
import { PROMOTION_TEXTS } from './texts.ts'

const MAX_NAMED = 5

/** Returns a function that joins flag names for a sentence, shortening long lists. */
export function useFormatNames(): (names: readonly string[]) => string {
  const t = useCatalogue(PROMOTION_TEXTS)
  return (names) => {
    const rest = names.length - MAX_NAMED
    return [...names.slice(0, MAX_NAMED), ...(rest > 0 ? [t.andMore(rest)] : [])].join(', ')
  }
}

/** Returns the names of flags that caused a conflict; undefined for other errors. */
export function findConflictingFlags(error: unknown): string[] | undefined {
  if (!(error instanceof ApiError) || error.code !== 'ConflictError') return undefined
  const names = (error.body.details ?? []).flatMap(({ path = '' }) => /^body\/features\/(.+)$/.exec(path)?.[1] ?? [])
  return names.length === 0 ? undefined : names
}

/** Plan, with the source environment and the parts for which it was made. */
export interface PlannedPromotion {
  readonly from: string
  readonly parts: readonly PromotedPart[]
  readonly plan: PromotionPlan
}

/**
 * Returns functions that apply a plan. In protected environments, the changes are added to a draft. In other
 * environments, they are applied directly; if real users are affected, only after confirmation (`confirm`). Applied
 * changes can be undone for some seconds.
 */
export function usePromotion(place: EnvironmentRef, close: () => void) {
  const t = useTexts()
  const own = useCatalogue(PROMOTION_TEXTS)
  const refetch = useRefetch()
  const liveAmong = useLiveCheck()
  const goLive = useGoLive()
  const isGuarded = useGuardCheck()
  const propose = useReportProposal()
  const refresh = useRefetchPromotion(place)
  const takeBack = useUndoPromotion(place)
  const { environment } = place
  const save = useMutation({
    mutationFn: async ({ from, parts, plan: { features } }: PlannedPromotion) => {
      const asChangeRequest = await isGuarded(place)
      const flags = features.map(({ name, seen }) => ({ name, seen }))
      return promote(place, { from, parts: [...parts], features: flags, asChangeRequest })
    },
    onError: () => refetch(['promotion-plan']),
    onSuccess: async ({ features, changeRequest }, { plan }) => {
      close()
      if (changeRequest !== null) return propose(place, { id: changeRequest.id, count: changeRequest.changes })
      await refresh()
      const undo = () => void takeBack(plan.features, features)
      showSuccess(own.done(features.length, environment), { label: t.common.undo, run: undo })
    },
  })
  const confirm = async ({ features }: PromotionPlan): Promise<boolean> => {
    if ((await liveAmong([environment])).length === 0 || (await isGuarded(place))) return true
    const [title, action] = [own.ask(features.length, environment), own.apply(features.length, environment)]
    const staysOff = features.every(({ before, after }) => !before.enabled && !after.enabled)
    return goLive({
      items: features.map(({ name, after, actions }) => ({
        place: { ...place, feature: name },
        edits: [toPromotedState(after, actions.includes('patchVariant'))],
      })),
      question: { title, action },
      ...(staysOff ? {} : { note: own.askText(environment) }),
      isGuarded: false,
    })
  }
  return { save, confirm }
}

function toPromotedState({ enabled, strategies, variants }: FlagState, hasVariants: boolean): LiveEdit {
  return {
    enabled,
    strategies: strategies as StrategyInput[],
    ...(hasVariants ? { variants: variants as VariantInput[] } : {}),
  }
}

function useRefetchPromotion({ project }: EnvironmentRef) {
  const refetch = useRefetch()
  return () => refetch(['flags', project], ['flag', project], ['comparison', project], ['events'])
}

/** Returns a function that restores the flags that have not changed since the promotion. */
function useUndoPromotion(place: EnvironmentRef) {
  const t = useTexts()
  const own = useCatalogue(PROMOTION_TEXTS)
  const namesOf = useFormatNames()
  const refresh = useRefetchPromotion(place)
  return async (before: readonly PlannedFlag[], after: readonly { name: string; seen: string }[]): Promise<void> => {
    const seen = new Map(after.map((flag) => [flag.name, flag.seen]))
    const features = before.flatMap(({ name, before: { enabled, strategies, variants } }) => {
      const state = { enabled, strategies: strategies as StrategyInput[], variants: variants as VariantInput[] }
      return seen.has(name) ? [{ name, seen: seen.get(name) ?? '', state }] : []
    })
    try {
      await undoPromotion(place, { features })
      await refresh()
      showSuccess(own.undone)
    } catch (error) {
      const moved = findConflictingFlags(error)
      if (moved === undefined) showFailure(t, t.common.undo, error)
      else showFailureReason(t, t.common.undo, own.undoMoved(namesOf(moved)))
    }
  }
}
