import type { ChangeRequestConfig } from '@burgee/protocol/administration/change-request'
import type { GrantScope } from '@burgee/protocol/grant'

/** Scope of a change: either one environment of a project, or all environments. */
export interface ChangeScope {
  readonly project: string
  readonly environment?: string
}

type GuardSettings = readonly Pick<ChangeRequestConfig, 'environment' | 'changeRequestEnabled'>[]
type PermissionCheck = (permission: string, place: GrantScope) => boolean

/**
 * Returns the affected environments that require change requests. The environments are called `skipped` if the user may
 * skip change requests, otherwise `refused`.
 */
export function findSkippedGuards(
  reach: ChangeScope,
  settings: GuardSettings,
  may: PermissionCheck,
): { skipped: string[]; refused: string[] } {
  const guarded = settings
    .filter((one) => one.changeRequestEnabled && (reach.environment ?? one.environment) === one.environment)
    .map(({ environment }) => environment)
  const maySkip = (environment: string) => may('SKIP_CHANGE_REQUEST', { project: reach.project, environment })
  return { skipped: guarded.filter(maySkip), refused: guarded.filter((environment) => !maySkip(environment)) }
}
