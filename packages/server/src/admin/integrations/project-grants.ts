import type { Reader, Tx } from '@burgee/storage/database'
import { findUserById } from '@burgee/storage/queries/access/people'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type IntegrationRow,
  listIntegrations,
  updateIntegration,
} from '@burgee/storage/queries/integrations/integrations'
import { listGrantsOfProjects, removeGrants } from '@burgee/storage/queries/integrations/project-grants'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { isMembershipEvent, readHiddenProjects } from '../../core/access/rights/hidden-projects.ts'
import { readGrants } from '../../core/access/rights/people-rights.ts'
import { toIntegration } from './integration-view.ts'

/** Private projects whose events each integration may currently receive, keyed by integration id. */
export type GrantedProjects = ReadonlyMap<number, ReadonlySet<string>>

/**
 * Returns, for each integration, the private projects (out of `secret`) whose events it may receive. A project is
 * granted if the integration names it and the user who added the name can see the project now. Leaves out projects if
 * it is unknown who added their names.
 */
export async function readGrantedProjects(reader: Reader, secret: readonly string[]): Promise<GrantedProjects> {
  const granted = new Map<number, Set<string>>()
  const hiddenFrom = new Map<number, readonly string[]>()
  for (const { integration_id, project, granted_by } of await listGrantsOfProjects(reader, secret)) {
    const hidden = hiddenFrom.get(granted_by) ?? (await hiddenFromGrantor(reader, granted_by, secret))
    hiddenFrom.set(granted_by, hidden)
    if (hidden.includes(project)) continue
    granted.set(integration_id, (granted.get(integration_id) ?? new Set()).add(project))
  }
  return granted
}

/**
 * Returns the private projects that the user who added their names can no longer see. If the user was deleted or
 * deactivated, returns all private projects. If they were added by an admin token or the server itself, returns none.
 */
async function hiddenFromGrantor(reader: Reader, id: number, secret: readonly string[]): Promise<readonly string[]> {
  if (id < 0) return []
  const user = await findUserById(reader, id)
  if (user === undefined || user.active === 0) return secret
  return readHiddenProjects(reader, id, await readGrants(reader, user))
}

/** Additional events and log lines that a change must write. */
export interface WithdrawnGrants {
  readonly events: readonly NewEvent[]
  /** Lines for the operator's log. */
  readonly lines: readonly string[]
}

const NOTHING: WithdrawnGrants = { events: [], lines: [] }

/**
 * Removes project names from integrations, in the transaction of the change that makes the names invalid. A name
 * becomes invalid if the project is removed, if a private project with this name is created, or if a private project is
 * hidden from the user who added the name. Disables an integration that would lose its last name, because an
 * integration without names receives events of all projects.
 */
export async function withdrawGrants(tx: Tx, events: readonly NewEvent[]): Promise<WithdrawnGrants> {
  if (!events.some(({ type }) => isMembershipEvent(type))) return NOTHING
  const rows = (await listIntegrations(tx)).filter((row) => row.only_projects.some((project) => project !== '*'))
  if (rows.length === 0) return NOTHING
  const secret = await listPrivateProjects(tx)
  const granted = await readGrantedProjects(tx, secret)
  const removed = getEventProjects(events, 'project-deleted')
  const created = getEventProjects(events, 'project-created')
  const withdrawn: { events: NewEvent[]; lines: string[] } = { events: [], lines: [] }
  for (const row of rows) {
    const lost = row.only_projects.filter((project) => {
      if (removed.has(project)) return true
      if (!secret.includes(project)) return false
      return created.has(project) || granted.get(row.id)?.has(project) !== true
    })
    if (lost.length === 0) continue
    const after = await removeNames(tx, row, lost)
    withdrawn.events.push({ type: 'addon-config-updated', data: toIntegration(after), preData: toIntegration(row) })
    withdrawn.lines.push(describeWithdrawal(after, lost))
  }
  return withdrawn
}

function getEventProjects(events: readonly NewEvent[], type: NewEvent['type']): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.type === type && event.project !== undefined ? [event.project] : [])))
}

async function removeNames(tx: Tx, row: IntegrationRow, lost: readonly string[]): Promise<IntegrationRow> {
  const only_projects = row.only_projects.filter((project) => !lost.includes(project))
  const after: IntegrationRow = { ...row, only_projects, enabled: only_projects.length === 0 ? 0 : row.enabled }
  await updateIntegration(tx, after, false)
  await removeGrants(tx, row.id, lost)
  return after
}

function describeWithdrawal({ id, only_projects }: IntegrationRow, lost: readonly string[]): string {
  const names = lost.map((project) => `"${project}"`).join(', ')
  const disabled = only_projects.length === 0 ? '; it has no other project and is disabled' : ''
  return `Integration ${id} no longer delivers events of ${names}: removed, or private and not visible to the user who added it${disabled}`
}
