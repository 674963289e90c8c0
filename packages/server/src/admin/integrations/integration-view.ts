import type { Integration } from '@burgee/protocol/administration/integration'
import type { IntegrationRow } from '@burgee/storage/queries/integrations/integrations'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { maskParameters } from './parameters.ts'

/** Returns an integration without its secrets. Shows only the number of hidden projects, not their names. */
export function toIntegration(row: IntegrationRow, hidden?: readonly string[]): Integration {
  const projects = filterVisible(hidden, row.only_projects, (project) => project)
  const hiddenProjects = row.only_projects.length - projects.length
  return {
    id: row.id,
    provider: row.provider,
    enabled: row.enabled === 1,
    description: row.description,
    parameters: maskParameters(row),
    events: row.event_types,
    projects,
    ...(hiddenProjects === 0 ? {} : { hiddenProjects }),
    environments: row.only_environments,
    createdAt: new Date(row.created_at).toISOString(),
  }
}
