import type { ChangePayload, ProposedChange } from '@burgee/protocol/administration/change-request'
import type { DependencyInput } from '@burgee/protocol/batch'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import { useQuery } from '@tanstack/react-query'
import type { FlagEnvironment } from '../api/flags.ts'
import { getReleasePlanQuery } from '../api/release-plans.ts'
import { RELEASE_TEMPLATES } from '../api/release-templates.ts'
import { listMilestoneStrategies } from '../flag/release-plan/milestone-edits.ts'
import { applyEdits } from '../go-live/flag-edit.ts'
import { toLiveEdit } from '../go-live/proposed-edit.ts'
import { listEnabledStrategies } from '../impact/edit-effect.ts'
import { type CheckedStrategy, ParentGaps, StrategyGaps } from '../sdk-differences/strategy-gaps.tsx'
import type { AddedStrategy, CurrentFlag } from './change-text.ts'

interface Props {
  readonly place: FlagEnvironment
  readonly change: ProposedChange
  /** Earlier changes to the same flag, which are applied before this change. */
  readonly earlier: readonly ProposedChange[]
  /** Current state of the flag. */
  readonly now: CurrentFlag
  readonly added: AddedStrategy | undefined
}

/** Warnings about SDKs that do not support everything that a change serves, and whose applications use the flag. */
export function ChangeGaps(props: Props) {
  const { place, change } = props
  const planned = usePlannedStrategies(place, change)
  if (change.action === 'addDependency') {
    return <ParentGaps place={place} environment={place.environment} parent={change.payload as DependencyInput} />
  }
  return <StrategyGaps place={place} strategies={[...planned, ...listServedStrategies(props)]} withValues />
}

/** Returns the strategies of the milestones that a change to a release plan can start. */
function usePlannedStrategies(place: FlagEnvironment, { action, payload }: ProposedChange): readonly CheckedStrategy[] {
  const isPlan = action === 'addReleasePlan'
  const isStart = action === 'startMilestone'
  const { data: templates } = useQuery({ ...RELEASE_TEMPLATES, enabled: isPlan })
  const { data: plan } = useQuery({ ...getReleasePlanQuery(place), enabled: isStart })
  const milestones = isPlan
    ? templates?.find(({ id }) => id === (payload as ChangePayload<'addReleasePlan'>).templateId)?.milestones
    : plan?.milestones.filter(({ id }) => id === (payload as ChangePayload<'startMilestone'>).milestoneId)
  return (milestones ?? []).flatMap((milestone) => listMilestoneStrategies(milestone, place.feature))
}

/** Returns the strategy that a change adds or edits, or all enabled strategies if the change turns the flag on. */
function listServedStrategies({ change, earlier, now, added }: Omit<Props, 'place'>): readonly CheckedStrategy[] {
  if (change.action === 'addStrategy' || change.action === 'updateStrategy') return [change.payload as StrategyInput]
  const edit = toLiveEdit(change)
  if (edit?.enabled !== true) return []
  const edits = [...earlier.map(toLiveEdit).filter((one) => one !== undefined), edit]
  return listEnabledStrategies(applyEdits({ ...now, addedStrategy: added }, edits))
}
