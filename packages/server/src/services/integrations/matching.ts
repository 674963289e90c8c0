import type { Event } from '@burgee/protocol/event'
import type { IntegrationRow } from '../../store/integrations/integrations.ts'

type Filters = Pick<IntegrationRow, 'event_types' | 'only_projects' | 'only_environments'>

/**
 * Whether an event is to be delivered: of its type, its project, and its environment; one without an environment goes to
 * all. Private projects (`secret`) are told of only where they are named. Source: wire protocol
 */
export function isWanted(
  { event_types, only_projects, only_environments }: Filters,
  { type, project, environment }: Pick<Event, 'type' | 'project' | 'environment'>,
  secret: readonly string[] = [],
): boolean {
  if (!event_types.includes(type)) return false
  const isNamed = project !== null && only_projects.includes(project)
  const isSecret = project !== null && secret.includes(project)
  const isOfProject = isNamed || (!isSecret && (only_projects.length === 0 || only_projects.includes('*')))
  return (
    isOfProject && (only_environments.length === 0 || environment === null || only_environments.includes(environment))
  )
}
