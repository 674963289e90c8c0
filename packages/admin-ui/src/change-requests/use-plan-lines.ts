import type { ChangeAction, ChangePayload, ProposedChange } from '@burgee/protocol/administration/change-request'
import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import { useQuery } from '@tanstack/react-query'
import type { FlagEnvironment } from '../api/flags.ts'
import { getReleasePlanQuery } from '../api/release-plans.ts'
import { RELEASE_TEMPLATES } from '../api/release-templates.ts'
import { describeCondition } from '../flag/release-plan/safeguards/describe-safeguard.ts'
import { SAFEGUARD_TEXTS } from '../flag/release-plan/safeguards/texts.ts'
import { METRIC_TEXTS } from '../metrics/texts.ts'
import { useFormatValue } from '../metrics/use-format-value.ts'
import { useCatalogue } from '../text/texts.tsx'
import { useDuration } from '../text/use-duration.ts'
import type { ChangeText } from './change-text.ts'

type Change = Pick<ProposedChange, 'action' | 'payload'>
type PlanLines = Pick<ChangeText, 'before' | 'after'>
const PLAN_ACTION = /ReleasePlan|Milestone|Safeguard/

/**
 * Returns a description of the states before and after a change to a release plan; undefined for other changes, and
 * while the names are unknown.
 */
export function usePlanLines(change: Change, place: FlagEnvironment): PlanLines | undefined {
  const isPlanned = PLAN_ACTION.test(change.action)
  const { data: templates } = useQuery({ ...RELEASE_TEMPLATES, enabled: change.action === 'addReleasePlan' })
  const { data: plan } = useQuery({ ...getReleasePlanQuery(place), enabled: isPlanned })
  const own = useCatalogue(SAFEGUARD_TEXTS)
  const metrics = useCatalogue(METRIC_TEXTS)
  const format = useFormatValue()
  const write = useDuration()
  if (!isPlanned) return undefined
  const condition = (safeguard: Parameters<typeof describeCondition>[0]) =>
    describeCondition(safeguard, { own, metrics, format })
  if (change.action === 'addReleasePlan') {
    const { templateId } = getPayload(change, 'addReleasePlan')
    const template = templates?.find(({ id }) => id === templateId)
    return template && { before: [], after: [template.name, ...template.milestones.map(({ name }) => `→ ${name}`)] }
  }
  if (change.action === 'changeSafeguard') {
    const { safeguard } = getPayload(change, 'changeSafeguard')
    const before = plan?.safeguards.find(({ id }) => id === safeguard.id)
    const after = `${condition(safeguard)}: ${own.actions[safeguard.action.type]}`
    return { before: before === undefined ? [] : [condition(before)], after: [after] }
  }
  if (change.action === 'deleteSafeguard') {
    const { safeguardId } = getPayload(change, 'deleteSafeguard')
    const before = plan?.safeguards.find(({ id }) => id === safeguardId)
    return before && { before: [condition(before)], after: [] }
  }
  return plan ? describePlanChange(change, plan, write) : undefined
}

const getPayload = <A extends ChangeAction>({ payload }: Change, _action: A): ChangePayload<A> =>
  payload as ChangePayload<A>

function describePlanChange(
  change: Change,
  plan: ReleasePlan,
  write: (minutes: number) => string,
): PlanLines | undefined {
  const nameOf = (wanted: string | null): string[] =>
    plan.milestones.filter(({ id }) => id === wanted).map(({ name }) => name)
  switch (change.action) {
    case 'startMilestone':
      return {
        before: nameOf(plan.activeMilestoneId),
        after: nameOf(getPayload(change, 'startMilestone').milestoneId),
      }
    case 'deleteReleasePlan':
      return { before: [plan.name], after: [] }
    case 'changeMilestoneProgression': {
      const { targetMilestone, transitionCondition } = getPayload(change, 'changeMilestoneProgression')
      const [name = ''] = nameOf(targetMilestone)
      return { before: [], after: [`${name}: ${write(transitionCondition.intervalMinutes)}`] }
    }
    default:
      return undefined
  }
}
