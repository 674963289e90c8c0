import type { ChangeRequestConfig } from '@burgee/protocol/administration/change-request'
import type { Place } from '@burgee/protocol/grant'

/** What a change is about: an environment of a project, or all that it has. */
export interface Reach {
  readonly project: string
  readonly environment?: string
}

type Settings = readonly Pick<ChangeRequestConfig, 'environment' | 'changeRequestEnabled'>[]
type May = (permission: string, place: Place) => boolean

/**
 * Environments that take changes by change request only and that a change reaches: those where the person may do without,
 * and those that refuse it.
 */
export function skippedGuards(reach: Reach, settings: Settings, may: May): { skipped: string[]; refused: string[] } {
  const guarded = settings
    .filter((one) => one.changeRequestEnabled && (reach.environment ?? one.environment) === one.environment)
    .map(({ environment }) => environment)
  const maySkip = (environment: string) => may('SKIP_CHANGE_REQUEST', { project: reach.project, environment })
  return { skipped: guarded.filter(maySkip), refused: guarded.filter((environment) => !maySkip(environment)) }
}
