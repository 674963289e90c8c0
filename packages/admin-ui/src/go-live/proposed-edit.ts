import type { ChangePayload } from '@burgee/protocol/administration/change-request'
import type { LiveEdit } from './flag-edit.ts'

/** Change in the format of change requests. */
export interface EditingChange {
  readonly action: string
  readonly payload?: unknown
}

/** Converts a change to an edit of the flag; returns undefined if it does not affect who gets the flag. */
export function toLiveEdit({ action, payload }: EditingChange): LiveEdit | undefined {
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
    case 'patchVariant':
      return { variants: (payload as ChangePayload<'patchVariant'>).variants }
    case 'archiveFeature':
      return { enabled: false }
    default:
      return undefined
  }
}
