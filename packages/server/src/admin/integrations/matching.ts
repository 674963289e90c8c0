import type { Event } from '@burgee/protocol/event'
import type { IntegrationRow } from '@burgee/storage/queries/integrations/integrations'

type Filters = Pick<IntegrationRow, 'event_types' | 'only_projects' | 'only_environments'>

/** Ids of all private projects, and of those whose events an integration may receive. */
export interface CurrentPrivacy {
  readonly secret: readonly string[]
  readonly granted: ReadonlySet<string> | undefined
}

const NOTHING_PRIVATE: CurrentPrivacy = { secret: [], granted: undefined }

/**
 * Returns true if an integration receives an event. The type, project and environment must match; an event without an
 * environment matches every environment. Events of private projects (`secret`) are delivered only if the integration
 * names the project and the user who added that name can currently see the project (`granted`). Source: wire protocol
 */
export function isSubscribed(
  { event_types, only_projects, only_environments }: Filters,
  { type, project, environment }: Pick<Event, 'type' | 'project' | 'environment'>,
  { secret, granted }: CurrentPrivacy = NOTHING_PRIVATE,
): boolean {
  if (!event_types.includes(type)) return false
  const isNamed = project !== null && only_projects.includes(project)
  const isSecret = project !== null && secret.includes(project)
  const isGranted = isNamed && (!isSecret || granted?.has(project) === true)
  const isOfProject = isGranted || (!isSecret && (only_projects.length === 0 || only_projects.includes('*')))
  return (
    isOfProject && (only_environments.length === 0 || environment === null || only_environments.includes(environment))
  )
}
