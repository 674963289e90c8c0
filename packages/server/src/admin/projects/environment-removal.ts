import type { EnvironmentRemoval } from '@burgee/protocol/environment'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { listTokens } from '@burgee/storage/queries/access/tokens'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type EnvironmentRow,
  listProjectsUsingEnvironment,
  listProjectsWithOnlyEnvironment,
  listRolesInEnvironment,
  toEnvironmentState,
} from '@burgee/storage/queries/projects/environments'
import type { ChangeAuthor } from '../../core/access/rights/rights.ts'
import { removeToken } from '../../core/access/tokens/tokens.ts'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { enforceGuards, loadGuards } from '../change-requests/guard.ts'
import { requireEnvironment } from './environments.ts'
import { takeEnvironmentFromProject } from './project-environments.ts'

/** Maximum number of names of one kind in an error message or log line. */
const MAX_NAMED = 10

/** Environment to delete, and the user who deletes it. The user is needed to check the change-request protection. */
interface NamedRemoval {
  readonly name: string
  readonly actor: ChangeAuthor
}

/**
 * Deletes an environment, after removing it from its projects and deleting its API tokens. Returns the projects, tokens
 * and roles that are affected by the deletion. Throws NotFoundError, and InvalidOperationError if the environment is
 * protected or is the last environment of a project.
 */
export const removeEnvironment: Change<NamedRemoval, EnvironmentRemoval> = async (tx, { name, actor }, context) => {
  const before = await requireEnvironment(tx, name)
  if (before.protected === 1) {
    throw new Problem('InvalidOperationError', `The environment "${name}" is protected and cannot be removed.`)
  }
  await rejectLastEnvironment(tx, name)
  const events: NewEvent[] = []
  const projects: EnvironmentRemoval['projects'] = []
  const using = await listProjectsUsingEnvironment(tx, name)
  const guards = await loadGuards(tx, actor, using)
  for (const project of using) {
    const { event, lost } = await takeEnvironmentFromProject(tx, { project, environment: name })
    events.push(event)
    projects.push({ id: project, configuredFlags: Object.keys(lost.flags).length })
  }
  // this check cannot wait until the end of the change, because the change-request settings are deleted with the
  // environment
  events.push(...(await enforceGuards(tx, actor, events, { reviewed: undefined, guards })))
  const removed = await removeTokens(tx, name, context)
  const roles = await listRolesInEnvironment(tx, name)
  events.push(...removed.events, await deleteEnvironment(tx, before))
  return { result: { name, projects, apiTokens: removed.apiTokens, roles }, events }
}

/**
 * Deletes an environment. The caller ensures that no project and no token uses the environment. Throws NotFoundError.
 */
export const removeUnusedEnvironment: Change<{ name: string }, void> = async (tx, { name }) => {
  const before = await requireEnvironment(tx, name)
  return { result: undefined, events: [await deleteEnvironment(tx, before)] }
}

/** Returns the log line about the deletion of an environment that was in use; undefined if nothing used it. */
export function describeRemoval({ name, projects, apiTokens }: EnvironmentRemoval): string | undefined {
  if (projects.length + apiTokens.length === 0) return undefined
  const ids = projects.map(({ id }) => id)
  const tokens = apiTokens.map(({ tokenName }) => tokenName)
  return (
    `Deleted the environment "${name}". Removed from projects: ${quoteNames(ids)}. ` +
    `API tokens that are no longer valid: ${quoteNames(tokens)}`
  )
}

async function deleteEnvironment(tx: Tx, row: EnvironmentRow): Promise<NewEvent> {
  await tx.deleteFrom('environments').where('name', '=', row.name).execute()
  return { type: 'environment-deleted', environment: row.name, preData: toEnvironmentState(row) }
}

async function rejectLastEnvironment(reader: Reader, name: string): Promise<void> {
  const projects = await listProjectsWithOnlyEnvironment(reader, name)
  if (projects.length === 0) return
  throw new Problem(
    'InvalidOperationError',
    `"${name}" is the last environment of these projects: ${quoteNames(projects)}. Add another environment to them, or delete them first.`,
  )
}

async function removeTokens(
  tx: Tx,
  environment: string,
  context: ChangeContext,
): Promise<{ apiTokens: EnvironmentRemoval['apiTokens']; events: NewEvent[] }> {
  const events: NewEvent[] = []
  const apiTokens: EnvironmentRemoval['apiTokens'] = []
  for (const token of await listTokens(tx, { column: 'environment', value: environment })) {
    events.push(...(await removeToken(tx, { token: token.id }, context)).events)
    apiTokens.push({ tokenName: token.name, type: token.type, projects: [...token.projects] })
  }
  return { apiTokens, events }
}

function quoteNames(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const named = names.slice(0, MAX_NAMED).map((name) => `"${name}"`)
  const more = names.length - named.length
  return [...named, ...(more === 0 ? [] : [`${more} more`])].join(', ')
}
