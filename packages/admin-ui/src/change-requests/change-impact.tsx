import type { ProposedChange } from '@burgee/protocol/administration/change-request'
import type { FlagEnvironment } from '../api/flags.ts'
import { applyEdits, combineEdits } from '../go-live/flag-edit.ts'
import { toLiveEdit } from '../go-live/proposed-edit.ts'
import { RolloutChange } from '../go-live/rollout-change.tsx'
import { RecentImpact } from '../impact/recent-impact.tsx'
import { useImpact } from '../impact/use-impact.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import type { AddedStrategy, CurrentFlag } from './change-text.ts'

interface Props {
  readonly place: FlagEnvironment
  readonly change: ProposedChange
  /** Earlier changes to the same flag, which are applied before this change. */
  readonly earlier: readonly ProposedChange[]
  /** State of the flag with which the change is compared. */
  readonly now: CurrentFlag
  readonly added: AddedStrategy | undefined
  /** True if the change can still be applied. */
  readonly isOpen: boolean
}

/**
 * Rollout now and after this change (including all earlier ones), and the impact of this change alone on recent
 * traffic. The impact preview can be started at the first change of each flag.
 */
export function ChangeImpact({ place, change, earlier, now, added, isOpen }: Props) {
  const may = usePermissionCheck()
  const edit = toLiveEdit(change)
  const canPreview = isOpen && edit !== undefined && may('UPDATE_FEATURE_ENVIRONMENT', place)
  const impact = useImpact(place, edit === undefined ? {} : combineEdits(now, [edit]), canPreview)
  if (edit === undefined) return null
  const before = { isOn: now.enabled, strategies: now.strategies }
  const edits = [...earlier.map(toLiveEdit).filter((one) => one !== undefined), edit]
  const after = applyEdits({ ...now, addedStrategy: added }, edits)
  return (
    <>
      {edit.variants === undefined && (before.isOn || after.isOn) && (
        <RolloutChange before={before} after={after} isPast={!isOpen} />
      )}
      {(earlier.length === 0 || impact?.sampling === true) && (
        <RecentImpact environment={place.environment} impact={canPreview ? impact : undefined} />
      )}
    </>
  )
}
