import type { ChangeAction } from '@burgee/protocol/administration/change-request'

/** Permission that each environment change requires when it is made directly, without a change request. */
const DIRECT_RIGHTS: Partial<Record<ChangeAction, string>> = {
  updateEnabled: 'UPDATE_FEATURE_ENVIRONMENT',
  addStrategy: 'CREATE_FEATURE_STRATEGY',
  updateStrategy: 'UPDATE_FEATURE_STRATEGY',
  reorderStrategy: 'UPDATE_FEATURE_STRATEGY',
  deleteStrategy: 'DELETE_FEATURE_STRATEGY',
  patchVariant: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  addReleasePlan: 'CREATE_FEATURE_STRATEGY',
  deleteReleasePlan: 'DELETE_FEATURE_STRATEGY',
  startMilestone: 'UPDATE_FEATURE_STRATEGY',
  changeMilestoneProgression: 'UPDATE_FEATURE_STRATEGY',
  deleteMilestoneProgression: 'UPDATE_FEATURE_STRATEGY',
  resumeMilestoneProgression: 'UPDATE_FEATURE_STRATEGY',
  changeSafeguard: 'UPDATE_FEATURE_STRATEGY',
  deleteSafeguard: 'UPDATE_FEATURE_STRATEGY',
}

/** Permissions of environment changes that are made directly. */
export const DIRECT_PERMISSIONS: readonly string[] = [...new Set(Object.values(DIRECT_RIGHTS))]

/** Returns the required permission of an environment change that is made directly: ADMIN for an unlisted change. */
export function getDirectPermission(action: ChangeAction): string {
  return DIRECT_RIGHTS[action] ?? 'ADMIN'
}
