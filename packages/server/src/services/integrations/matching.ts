import type { Event } from '@burgee/protocol/event'
import type { IntegrationRow } from '../../store/integrations/integrations.ts'

type Filters = Pick<IntegrationRow, 'event_types' | 'only_projects' | 'only_environments'>

/**
 * Whether an event is to be delivered: of its type, its project, and its environment; one without an environment goes to
 * all. Source: wire protocol
 */
export function isWanted(
  { event_types, only_projects, only_environments }: Filters,
  { type, project, environment }: Pick<Event, 'type' | 'project' | 'environment'>,
): boolean {
  if (!event_types.includes(type)) return false
  const isOfProject =
    only_projects.length === 0 || only_projects.includes('*') || (project !== null && only_projects.includes(project))
  return (
    isOfProject && (only_environments.length === 0 || environment === null || only_environments.includes(environment))
  )
}
