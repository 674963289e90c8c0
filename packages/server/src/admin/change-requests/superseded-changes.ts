import { isDeepStrictEqual } from 'node:util'
import type { ChangePayload } from '@burgee/protocol/administration/change-request'
import type { ChangeRow } from '@burgee/storage/queries/change-requests/changes'
import type { CheckedChange } from './change-actions.ts'

/** Stored or proposed change, together with the flag or segment that it affects. */
type ComparableChange = Pick<ChangeRow, 'feature_name' | 'segment_id' | 'action' | 'payload'>

/** Change in a draft that a new proposal replaces. */
export interface SupersededChange {
  readonly row: ChangeRow
  /** Payload of the merged change. */
  readonly payload: CheckedChange['payload']
  /** True if the merged change must come after all other changes of its flag. */
  readonly movesToEnd: boolean
}

/**
 * Returns the change in the draft that a new change to the same flag or segment replaces. Both changes set the same
 * value, such as the state of the flag or one of its strategies, so only the newer change has an effect. Returns
 * undefined if there is no such change, or if a change in between depends on it.
 */
export function findSuperseded(rows: readonly ChangeRow[], change: ComparableChange): SupersededChange | undefined {
  const key = getTarget(change)
  const own = rows.filter((row) => row.feature_name === change.feature_name && row.segment_id === change.segment_id)
  const at = own.findLastIndex((row) => key !== undefined && getTarget(row) === key)
  const row = own[at]
  if (row === undefined) return undefined
  const between = own.slice(at + 1)
  if (change.action === 'updateEnabled') {
    return { row, payload: mergeSwitches(row.payload, change.payload), movesToEnd: between.length > 0 }
  }
  const isEqual = row.action === change.action && isDeepStrictEqual(row.payload, change.payload)
  if (!isEqual && !between.every(isSetting)) return undefined
  return { row, payload: change.payload as CheckedChange['payload'], movesToEnd: false }
}

/** Returns the part of a flag or segment that a change replaces as a whole; undefined if the change adds something. */
function getTarget({ action, payload }: ComparableChange): string | undefined {
  switch (action) {
    case 'addStrategy':
      return undefined
    case 'changeMilestoneProgression':
    case 'deleteMilestoneProgression':
      return `progression ${(payload as ChangePayload<'deleteMilestoneProgression'>).sourceMilestone}`
    case 'changeSafeguard':
      return getSafeguardTarget((payload as ChangePayload<'changeSafeguard'>).safeguard.id)
    case 'deleteSafeguard':
      return getSafeguardTarget((payload as ChangePayload<'deleteSafeguard'>).safeguardId)
    case 'updateStrategy':
    case 'deleteStrategy':
      return `strategy ${(payload as ChangePayload<'deleteStrategy'>).id}`
    case 'addDependency':
      return `parent ${(payload as ChangePayload<'addDependency'>).feature}`
    case 'updateSegment':
    case 'deleteSegment':
      return 'segment'
    default:
      return action
  }
}

/** Returns the target of a change to a safeguard; undefined for a new safeguard. */
function getSafeguardTarget(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `safeguard ${id}`
}

/** Returns true if the result of the changes does not depend on their order. */
const isSetting = ({ action }: ComparableChange): boolean => action === 'updateStrategy' || action === 'patchVariant'

/**
 * Returns the newer state. If both changes turn the flag on, the result enables disabled strategies if either of the
 * two does.
 */
function mergeSwitches(older: unknown, newer: unknown): ChangePayload<'updateEnabled'> {
  const [before, after] = [older, newer] as readonly ChangePayload<'updateEnabled'>[]
  const enabled = after?.enabled === true
  const activates = [before, after].some((one) => one?.enabled && one.shouldActivateDisabledStrategies)
  return { enabled, ...(enabled && activates ? { shouldActivateDisabledStrategies: true } : {}) }
}
