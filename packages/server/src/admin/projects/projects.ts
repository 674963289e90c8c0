import { invalid } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { CreatedProject, CreateProject, UpdateProject } from '@burgee/protocol/project'
import type { Reader, Tx } from '@burgee/storage/database'
import { listTokens } from '@burgee/storage/queries/access/tokens'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import {
  clearRemovedPrivateProject,
  recordRemovedPrivateProject,
  wasPrivate,
} from '@burgee/storage/queries/projects/private-projects'
import { findProject, type ProjectRow } from '@burgee/storage/queries/projects/projects'
import { deleteTestRunsOfProject } from '@burgee/storage/queries/test-runs/test-runs'
import { OWNER_ROLE } from '../../core/access/rights/role-permissions.ts'
import { removeToken } from '../../core/access/tokens/tokens.ts'
import type { Change } from '../../core/execute.ts'
import { requireKey } from '../../core/names.ts'
import { requireProject } from '../../core/project-ref.ts'
import { NO_RULES, parseRules } from '../flags/project-flag-rules.ts'
import { removeSegment } from '../targeting/segments.ts'
import { toListedProject, toProjectState } from './project-views.ts'

const DEFAULT = 'default'
/** Ids that cannot be used because API paths have another meaning in that position. */
const RESERVED = ['archive', 'revive', 'validate']

/** Project to create, and the projects that are hidden from the caller. */
export interface ProjectInput {
  readonly body: CreateProject
  readonly hidden?: readonly string[] | undefined
}

/** Creates a project, owned by its author. Throws ValidationError, NameExistsError. */
export const createProject: Change<ProjectInput, CreatedProject> = async (tx, { body, hidden }, { now, author }) => {
  const id = body.id ?? (await findFreeId(tx, body.name))
  await requireFreeProject(tx, id, hidden)
  await clearRemovedPrivateProject(tx, id)
  const environments = await readEnvironments(tx, body.environments ?? [])
  const row: ProjectRow = {
    id,
    name: body.name,
    description: body.description ?? null,
    mode: body.mode ?? 'open',
    default_stickiness: body.defaultStickiness ?? 'default',
    created_at: now,
    archived_at: null,
    ...parseRules(body, NO_RULES),
  }
  await tx.insertInto('projects').values(toColumns(row)).execute()
  await tx
    .insertInto('project_environments')
    .values(environments.map((environment) => ({ project: id, environment })))
    .execute()
  const isPerson = author.userId > 0
  if (isPerson) {
    await tx
      .insertInto('project_members')
      .values({ project: id, user_id: author.userId, role_id: OWNER_ROLE, created_at: now })
      .execute()
  }
  const owners = isPerson ? [author.userId] : []
  const data = { ...toProjectState(row), environments, owners }
  return { result: { ...toListedProject(row), environments }, events: [{ type: 'project-created', project: id, data }] }
}

/**
 * Rejects invalid and taken ids. Ids of deleted private projects count as taken, because the new project would inherit
 * their history. Throws ValidationError, NameExistsError.
 */
export async function requireFreeProject(reader: Reader, id: string, hidden: readonly string[] = []): Promise<void> {
  requireKey('id', id)
  if (RESERVED.includes(id)) throw invalid(`"id" must not be "${id}", which is reserved.`, 'body/id')
  if (!hidden.includes(id) && (await findProject(reader, id)) === undefined) return
  throw new Problem('NameExistsError', `There is already a project with the id "${id}".`)
}

/** Fields to change in a project; undefined fields keep their value. */
type ProjectChange = { readonly [Key in keyof UpdateProject]?: UpdateProject[Key] | undefined }

/**
 * Updates a project; omitted fields keep their value, and no event is created if nothing changes. Throws NotFoundError,
 * ValidationError.
 */
export const updateProject: Change<{ id: string; body: ProjectChange }, void> = async (tx, { id, body }) => {
  const before = await requireProject(tx, id)
  if (body.id !== undefined && body.id !== id) throw invalid('The "id" of a project cannot be changed.', 'body/id')
  const after: ProjectRow = {
    ...before,
    name: body.name ?? before.name,
    description: body.description === undefined ? before.description : body.description,
    mode: body.mode ?? before.mode,
    default_stickiness: body.defaultStickiness ?? before.default_stickiness,
    ...parseRules(body, before),
  }
  const states = { data: toProjectState(after), preData: toProjectState(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: undefined, events: [] }
  const { id: _id, created_at: _born, archived_at: _archived, ...changing } = after
  await tx.updateTable('projects').set(toColumns(changing)).where('id', '=', id).execute()
  return { result: undefined, events: [{ type: 'project-updated', project: id, ...states }] }
}

/**
 * Archives a project whose flags are all archived; does nothing if the project is already archived. Throws
 * NotFoundError, InvalidOperationError.
 */
export const archiveProject: Change<{ id: string }, void> = async (tx, { id }, { now }) => {
  const before = await requireProject(tx, id)
  if (before.archived_at !== null) return { result: undefined, events: [] }
  rejectDefault(id, 'archived')
  const { live } = await countFlags(tx, id)
  if (live > 0) throw createNotEmpty(id, 'archived', `${live} that ${live === 1 ? 'is' : 'are'} not archived`)
  return { result: undefined, events: [await setArchived(tx, before, now)] }
}

/** Revives an archived project; does nothing if it is not archived. Throws NotFoundError. */
export const reviveProject: Change<{ id: string }, void> = async (tx, { id }) => {
  const before = await requireProject(tx, id)
  if (before.archived_at === null) return { result: undefined, events: [] }
  return { result: undefined, events: [await setArchived(tx, before, null)] }
}

/**
 * Deletes a project that has no flags, together with its segments and the tokens that belong only to it. Throws
 * NotFoundError, and InvalidOperationError for the default project and for a project that still has flags, including
 * archived ones.
 */
export const removeProject: Change<{ id: string }, void> = async (tx, { id }, context) => {
  const before = await requireProject(tx, id)
  rejectDefault(id, 'removed')
  const { live, archived } = await countFlags(tx, id)
  if (live + archived > 0) throw createNotEmpty(id, 'removed', `${live + archived}, ${archived} of them archived`)
  const events: NewEvent[] = []
  const segments = await tx.selectFrom('segments').select('id').where('project', '=', id).execute()
  const environments = await listProjectEnvironmentNames(tx, id)
  await tx.deleteFrom('project_environments').where('project', '=', id).execute()
  for (const segment of segments) events.push(...(await removeSegment(tx, segment, context)).events)
  for (const { id: token, projects } of await listTokens(tx)) {
    if (projects.length !== 1 || projects[0] !== id) continue
    events.push(...(await removeToken(tx, { token }, context)).events)
  }
  await tx.deleteFrom('projects').where('id', '=', id).execute()
  if (before.mode === 'private') await recordRemovedPrivateProject(tx, id)
  events.push({ type: 'project-deleted', project: id, preData: { ...toProjectState(before), environments } })
  return { result: undefined, events }
}

function toColumns<Row extends Pick<ProjectRow, 'link_templates'>>(row: Row) {
  return { ...row, link_templates: JSON.stringify(row.link_templates) }
}

async function setArchived(tx: Tx, before: ProjectRow, archived_at: number | null): Promise<NewEvent> {
  await tx.updateTable('projects').set({ archived_at }).where('id', '=', before.id).execute()
  if (archived_at !== null) await deleteTestRunsOfProject(tx, before.id)
  const states = { data: toProjectState({ ...before, archived_at }), preData: toProjectState(before) }
  return { type: archived_at === null ? 'project-revived' : 'project-archived', project: before.id, ...states }
}

async function countFlags(reader: Reader, project: string): Promise<{ live: number; archived: number }> {
  const row = await reader
    .selectFrom('features')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('archived_at', 'is', null).as('live'),
      fn.countAll<number>().filterWhere('archived_at', 'is not', null).as('archived'),
    ])
    .where('project', '=', project)
    .executeTakeFirst()
  return { live: Number(row?.live ?? 0), archived: Number(row?.archived ?? 0) }
}

function createNotEmpty(id: string, what: string, flags: string): Problem {
  return new Problem('InvalidOperationError', `The project "${id}" cannot be ${what}: it still has flags (${flags}).`)
}

function rejectDefault(id: string, what: string): void {
  if (id === DEFAULT) throw new Problem('InvalidOperationError', `The default project cannot be ${what}.`)
}

async function readEnvironments(tx: Tx, wanted: readonly string[]): Promise<string[]> {
  const all = await tx
    .selectFrom('environments')
    .select(['name', 'enabled'])
    .orderBy('sort_order')
    .orderBy('name')
    .execute()
  if (wanted.length === 0) {
    const running = all.filter((row) => row.enabled === 1)
    return (running.length > 0 ? running : all).map((row) => row.name)
  }
  for (const name of wanted) {
    if (all.every((row) => row.name !== name)) throw invalid(`There is no environment "${name}".`, 'body/environments')
  }
  return all.map((row) => row.name).filter((name) => wanted.includes(name))
}

/** Derives an id from a name: `My project` → `my-project`, with a number appended if the id is taken. */
async function findFreeId(reader: Reader, name: string): Promise<string> {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 90)
  const base = slug === '' || RESERVED.includes(slug) ? `project${slug && `-${slug}`}` : slug
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`
    if ((await findProject(reader, id)) === undefined && !(await wasPrivate(reader, id))) return id
  }
}
