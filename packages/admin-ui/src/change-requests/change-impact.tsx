import type { ChangePayload, ProposedChange } from '@burgee/protocol/administration/change-request'
import type { FlagEnvironment } from '../api/flags.ts'
import { applyEdit, type LiveEdit } from '../go-live/flag-edit.ts'
import { RolloutChange } from '../go-live/rollout-change.tsx'
import { ImpactFigure } from '../impact/impact-line.tsx'
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
  const edit = toEdit(change)
  const { activate, ...asked } = edit ?? {}
  const isAsked = isOpen && edit !== undefined && activate !== true && may('UPDATE_FEATURE_ENVIRONMENT', place)
  const impact = useImpact(place, asked, isAsked)
  if (edit === undefined) return null
  const before = { isOn: now.enabled, strategies: now.strategies }
  return (
    <>
      <RolloutChange before={before} after={applyEdit({ ...now, addedStrategy: added }, edit)} />
      {impact?.sampling === true && <ImpactFigure impact={impact} />}
    </>
  )
}

/** Returns a change as an edit of the flag; undefined if it does not affect who gets the flag. */
function toEdit({ action, payload }: ProposedChange): LiveEdit | undefined {
  switch (action) {
    case 'updateEnabled': {
      const { enabled, shouldActivateDisabledStrategies } = payload as ChangePayload<'updateEnabled'>
      return { enabled, ...(enabled && shouldActivateDisabledStrategies === true ? { activate: true } : {}) }
    }
    case 'addStrategy':
    case 'updateStrategy': {
      const { allowEmpty: _, ...strategy } = payload as ChangePayload<'updateStrategy'>
      return { strategy: strategy as NonNullable<LiveEdit['strategy']> }
    }
    case 'deleteStrategy':
      return { removeStrategy: (payload as ChangePayload<'deleteStrategy'>).id }
    default:
      return undefined
  }
}
