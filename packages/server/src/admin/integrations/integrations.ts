import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { IntegrationInput } from '@burgee/protocol/administration/integration'
import { isAdminEvent } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { type NewEvent, readNewestEventId } from '@burgee/storage/queries/events/events'
import {
  deleteIntegration,
  findIntegrationById,
  type IntegrationRow,
  insertIntegration,
  updateIntegration,
} from '@burgee/storage/queries/integrations/integrations'
import { putGrants } from '@burgee/storage/queries/integrations/project-grants'
import { rejectHiddenProjects } from '../../core/access/rights/hidden-projects.ts'
import type { Change } from '../../core/execute.ts'
import { toIntegration } from './integration-view.ts'
import { toStoredParameters } from './parameters.ts'
import { findProvider } from './providers.ts'

/** Request body, and options for validating it. */
export interface IntegrationRequest {
  readonly body: IntegrationInput
  readonly allowPrivate: boolean
  /** Projects hidden from the caller. */
  readonly hidden?: readonly string[] | undefined
  /** True if the caller has permission to read events about users, credentials and settings. */
  readonly isAdmin: boolean
}

const MAX_INTEGRATIONS = 200
const MAX_NAMED = 10

/** Returns an integration by id. Throws NotFoundError. */
export async function requireIntegration(reader: Reader, id: number): Promise<IntegrationRow> {
  const row = await findIntegrationById(reader, id)
  if (row !== undefined) return row
  throw notFound('Could not find addon')
}

/** Returns an integration that names no hidden project. Throws NotFoundError, NoAccessError. */
export async function requireManageableIntegration(
  reader: Reader,
  id: number,
  hidden: readonly string[] = [],
): Promise<IntegrationRow> {
  const row = await requireIntegration(reader, id)
  if (!row.only_projects.some((project) => hidden.includes(project))) return row
  const message = 'The integration is for a private project that you are not a member of.'
  throw new Problem('NoAccessError', message, { details: [{ message }] })
}

/** Creates an integration, which receives events from then on. Throws ValidationError, NoAccessError, ConflictError. */
export const createIntegration: Change<IntegrationRequest, IntegrationRow> = async (tx, wanted, context) => {
  await requireRoom(tx)
  const { body } = wanted
  rejectHiddenProjects(wanted.hidden, body.projects ?? [])
  await requireProjects(tx, body.projects ?? [])
  rejectUnreadableEvents(wanted)
  const provider = requireProvider(body.provider)
  const rules = { provider, before: undefined, secrets: context.secrets, allowPrivate: wanted.allowPrivate }
  const row = {
    ...toColumns(body),
    ...toStoredParameters(body.parameters, rules),
    seen_event_id: await readNewestEventId(tx),
    created_at: context.now,
  }
  const made = { id: await insertIntegration(tx, row), ...row }
  await putGrants(tx, made.id, { projects: made.only_projects, grantedBy: context.author.userId })
  const tagEvents = await addTagTypes(tx, provider.tagTypes ?? [])
  const event: NewEvent = { type: 'addon-config-created', data: toIntegration(made) }
  return { result: made, events: [...tagEvents, event] }
}

/**
 * Replaces an integration. A masked secret keeps its stored value; an unchanged integration creates no event. An
 * integration that is enabled again receives events from then on. Throws NotFoundError, NoAccessError, ValidationError,
 * ConflictError.
 */
export const replaceIntegration: Change<IntegrationRequest & { id: number }, IntegrationRow> = async (
  tx,
  { id, body, allowPrivate, hidden, isAdmin },
  { secrets, author },
) => {
  const before = await requireManageableIntegration(tx, id, hidden)
  rejectHiddenProjects(hidden, body.projects ?? [])
  const added = (body.projects ?? []).filter((project) => !before.only_projects.includes(project))
  await requireProjects(tx, added)
  rejectUnreadableEvents({ body, isAdmin })
  const provider = requireProvider(body.provider)
  const isSame = before.provider === body.provider
  const rules = { provider, before: isSame ? before : undefined, secrets, allowPrivate }
  const changed = { ...before, ...toColumns(body, before), ...toStoredParameters(body.parameters, rules) }
  const isWoken = before.enabled === 0 && changed.enabled === 1
  const after = isWoken ? { ...changed, seen_event_id: await readNewestEventId(tx) } : changed
  if (JSON.stringify(after) === JSON.stringify(before)) return { result: before, events: [] }
  await updateIntegration(tx, after, isWoken)
  if (body.projects !== undefined) {
    await putGrants(tx, id, { projects: after.only_projects, grantedBy: author.userId })
  }
  const tagEvents = isSame ? [] : await addTagTypes(tx, provider.tagTypes ?? [])
  const states = { data: toIntegration(after), preData: toIntegration(before) }
  return { result: after, events: [...tagEvents, { type: 'addon-config-updated', ...states }] }
}

/** Removes an integration with its queued deliveries. Throws NotFoundError, NoAccessError. */
export const removeIntegration: Change<{ id: number } & Pick<IntegrationRequest, 'hidden'>, void> = async (
  tx,
  { id, hidden },
) => {
  const before = await requireManageableIntegration(tx, id, hidden)
  await deleteIntegration(tx, id)
  return { result: undefined, events: [{ type: 'addon-config-deleted', preData: toIntegration(before) }] }
}

/** Throws NoAccessError if an integration would receive events that the caller cannot read in the event log. */
function rejectUnreadableEvents({ body, isAdmin }: Pick<IntegrationRequest, 'body' | 'isAdmin'>): void {
  const kept = isAdmin ? [] : body.events.filter(isAdminEvent)
  if (kept.length === 0) return
  const message = `Only administrators can send these events to an integration: ${kept.slice(0, MAX_NAMED).join(', ')}.`
  throw new Problem('NoAccessError', message, { details: [{ message, path: 'body/events' }] })
}

/** Rejects projects that do not exist, because access to a future project cannot be checked. Throws ValidationError. */
async function requireProjects(reader: Reader, names: readonly string[]): Promise<void> {
  const wanted = names.filter((name) => name !== '*')
  if (wanted.length === 0) return
  const rows = await reader.selectFrom('projects').select('id').where('id', 'in', wanted).execute()
  const known = new Set(rows.map(({ id }) => id))
  const missing = wanted.find((name) => !known.has(name))
  if (missing !== undefined) throw invalid(`There is no project "${missing}".`, 'body/projects')
}

function toColumns(body: IntegrationInput, before?: IntegrationRow) {
  return {
    provider: body.provider,
    enabled: Number(body.enabled),
    description: body.description === undefined ? (before?.description ?? null) : body.description,
    event_types: [...new Set(body.events)],
    only_projects: [...new Set(body.projects ?? before?.only_projects ?? [])],
    only_environments: [...new Set(body.environments ?? before?.only_environments ?? [])],
  }
}

function requireProvider(name: string) {
  const provider = findProvider(name)
  if (provider !== undefined) return provider
  const why = name === 'slack-app' ? 'is not supported; "slack" posts through an incoming webhook' : 'is not known'
  throw invalid(`The provider "${name}" ${why}.`, 'body/provider')
}

async function requireRoom(tx: Tx): Promise<void> {
  const rows = await tx.selectFrom('integrations').select('id').limit(MAX_INTEGRATIONS).execute()
  if (rows.length === MAX_INTEGRATIONS) throw invalid(`There are ${MAX_INTEGRATIONS} integrations already.`)
}

/**
 * Adds the tag types that the provider uses. With tags of these types, a flag selects the channels that get its
 * messages.
 */
async function addTagTypes(
  tx: Tx,
  types: readonly { readonly name: string; readonly description: string; readonly icon: string }[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const type of types) {
    const found = await tx.selectFrom('tag_types').select('name').where('name', '=', type.name).executeTakeFirst()
    if (found !== undefined) continue
    await tx.insertInto('tag_types').values(type).execute()
    events.push({ type: 'tag-type-created', data: type })
  }
  return events
}
