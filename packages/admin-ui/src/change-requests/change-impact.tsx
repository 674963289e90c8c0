import type { ProposedChange } from '@burgee/protocol/administration/change-request'
import type { FlagEnvironment } from '../api/flags.ts'
import { applyEdit, combineEdits } from '../go-live/flag-edit.ts'
import { toLiveEdit } from '../go-live/proposed-edit.ts'
import { RolloutChange } from '../go-live/rollout-change.tsx'
import { RecentImpact } from '../impact/recent-impact.tsx'
import { useImpact } from '../impact/use-impact.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import type { AddedStrategy, CurrentFlag } from './change-text.ts'

interface Props {
  readonly place: FlagEnvironment
  readonly change: ProposedChange
  /** State of the flag that the change is compared with. */
  readonly now: CurrentFlag
  readonly added: AddedStrategy | undefined
  /** True if the change can still be applied. */
  readonly isOpen: boolean
}

/** Rollout before and after a change by itself, and its impact on recent traffic. */
export function ChangeImpact({ place, change, now, added, isOpen }: Props) {
  const may = usePermissionCheck()
  const edit = toLiveEdit(change)
  const isAsked = isOpen && edit !== undefined && may('UPDATE_FEATURE_ENVIRONMENT', place)
  const impact = useImpact(place, edit === undefined ? {} : combineEdits(now, [edit]), isAsked)
  if (edit === undefined) return null
  const before = { isOn: now.enabled, strategies: now.strategies }
  return (
    <>
      {edit.variants === undefined && (
        <RolloutChange before={before} after={applyEdit({ ...now, addedStrategy: added }, edit)} />
      )}
      <RecentImpact environment={place.environment} impact={isAsked ? impact : undefined} />
    </>
  )
}
