import type { Milestone, ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { FlagEnvironment } from '../../api/flags.ts'
import * as api from '../../api/release-plans.ts'
import { describeStrategy } from '../../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../../strategy/texts.ts'
import { useSegmentName } from '../../strategy/use-segment-name.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { listMilestoneEdits, listMilestoneStrategies } from './milestone-edits.ts'
import { findActiveIndex } from './plan-progress.ts'
import { PLAN_TEXTS } from './texts.ts'
import { usePlanChange } from './use-plan-change.ts'

/**
 * Returns functions that change the milestone of a release plan, and pause, resume or remove the plan. Each action can
 * be undone.
 */
export function usePlanActions(place: FlagEnvironment, plan: ReleasePlan) {
  const t = useCatalogue(PLAN_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  const change = usePlanChange(place)
  const ref = { ...place, planId: plan.id }
  const { feature, environment } = place
  const activeIndex = findActiveIndex(plan)
  const active = plan.milestones[activeIndex]
  const move = (milestone: Milestone): Promise<boolean> => {
    const isBack = plan.milestones.indexOf(milestone) < activeIndex
    return change({
      what: (isBack ? t.backTo : t.startNext)(milestone.name),
      proposal: { action: 'startMilestone', payload: { planId: plan.id, milestoneId: milestone.id } },
      edits: listMilestoneEdits(listMilestoneStrategies(active, feature), listMilestoneStrategies(milestone, feature)),
      question: { title: (isBack ? t.confirmBack : t.confirmMove)(milestone.name) },
      run: () => api.startMilestone(ref, milestone.id),
      done: t.moved(milestone.name),
      ...(active === undefined ? {} : { undo: () => api.startMilestone(ref, active.id) }),
    })
  }
  const pause = () =>
    change({
      what: t.pause,
      proposal: undefined,
      run: () => api.pausePlan(ref),
      done: t.pausedDone,
      undo: () => api.resumePlan(ref),
    })
  const isTripped = plan.safeguards.some(({ trip }) => trip !== null)
  const resume = () =>
    change({
      what: t.resume,
      proposal: { action: 'resumeMilestoneProgression', payload: { planId: plan.id } },
      ...(isTripped ? { question: { title: t.resumeTitle, text: t.resumeText, isAlwaysAsked: true } } : {}),
      run: () => api.resumePlan(ref),
      done: t.resumedDone,
      undo: () => api.pausePlan(ref),
    })
  const remove = (): Promise<boolean> => {
    const strategies = listMilestoneStrategies(active, feature)
    const sentences = strategies.map((one) => describeStrategy(words, one, segmentName)).join('; ')
    return change({
      what: t.remove,
      proposal: { action: 'deleteReleasePlan', payload: { planId: plan.id } },
      edits: strategies.map(({ id }) => ({ removeStrategy: id })),
      question: { title: t.removeTitle, text: t.removeText(feature, environment, sentences), isAlwaysAsked: true },
      isDanger: true,
      run: () => api.removeReleasePlan(ref),
      done: t.removed,
      undo: () => restorePlan(place, plan),
    })
  }
  return { move, pause, resume, remove }
}

/**
 * Restores a removed plan with its active milestone and its safeguards. The milestones come from the template; if the
 * template has changed, the active milestone is found by name.
 */
async function restorePlan(place: FlagEnvironment, plan: ReleasePlan): Promise<void> {
  const added = await api.addReleasePlan(place, plan.releasePlanTemplateId)
  const ref = { ...place, planId: added.id }
  const active = plan.milestones[findActiveIndex(plan)]
  const same = added.milestones.find(({ name }) => name === active?.name)
  if (same !== undefined && same.id !== added.milestones[0]?.id) await api.startMilestone(ref, same.id)
  for (const safeguard of plan.safeguards) await api.setSafeguard(ref, api.toSafeguardInput(safeguard))
  if (plan.milestones.some(({ pausedAt }) => pausedAt !== null)) await api.pausePlan(ref)
}
