import type { InstallationOrigin } from '@burgee/import/model/installation'
import { Problem } from '@burgee/protocol/problem'
import type { Schema, Tx } from '@burgee/storage/database'
import { findSetting } from '@burgee/storage/queries/access/users'
import { insertAll } from '@burgee/storage/queries/import/explicit-ids'
import { SYSTEM } from '../../core/world.ts'
import { describeExistingData } from './existing-data.ts'
import type { ImportMode } from './import-order.ts'

/** Record of an import. The next import compares its source with this record. */
export interface EarlierImport {
  /**
   * Id of the source installation. Undefined if the source has no id; the address or file of the source is compared
   * instead.
   */
  readonly instanceId: string | undefined
  readonly place: string
  /** Id of the last event in the source at the time of the import. */
  readonly lastEventId: number
  /** Ids of tokens that existed before any import. */
  readonly ownTokens: readonly string[]
}

const RECORD_KEY = 'lastImport'

/** Returns the record of the latest import; undefined if there is none. */
export async function findEarlierImport(tx: Tx): Promise<EarlierImport | undefined> {
  const stored = await findSetting(tx, RECORD_KEY)
  return stored === undefined ? undefined : (JSON.parse(stored) as EarlierImport)
}

/** Stores the record of an import, replacing an earlier record. */
export async function storeImportRecord(
  tx: Tx,
  { instanceId, place, lastEventId = 0 }: InstallationOrigin,
  ownTokens: readonly string[],
): Promise<void> {
  const value = JSON.stringify({ instanceId, place, lastEventId, ownTokens } satisfies EarlierImport)
  await deleteImportRecord(tx)
  await tx.insertInto('settings').values({ name: RECORD_KEY, value }).execute()
}

/** Removes the record of the latest import, so that an import in mode `update` is rejected. */
export async function deleteImportRecord(tx: Tx): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', RECORD_KEY).execute()
}

/**
 * Throws InvalidOperationError if the target does not fit the mode. The message names the existing data and the option
 * with which the import is possible.
 */
export async function requireTarget(tx: Tx, mode: ImportMode, origin: InstallationOrigin): Promise<void> {
  if (mode === 'merge') return
  if (mode === 'update') return requireUnchanged(tx, origin)
  const found = await describeExistingData(tx)
  if (found.length === 0) return
  const words = `The target is not empty: there are ${found.join(', ')}.`
  const known =
    (await findEarlierImport(tx)) === undefined ? '' : ' --update imports the changes since the last import;'
  throw createRefusal(
    `${words} Use an empty target;${known} --merge adds missing objects and leaves existing ones unchanged.`,
  )
}

function createRefusal(words: string): Problem {
  return new Problem('InvalidOperationError', words)
}

async function requireUnchanged(tx: Tx, { instanceId, place }: InstallationOrigin): Promise<void> {
  const earlier = await findEarlierImport(tx)
  if (earlier === undefined) {
    throw createRefusal(
      'Nothing was imported into this target, or --merge has added to it since: omit --update, or use --merge again.',
    )
  }
  const isSame = instanceId === undefined ? earlier.place === place : earlier.instanceId === instanceId
  if (!isSame) throw createRefusal(`The last import into this target was from another source, ${earlier.place}.`)
  const changes = await readChangesSince(tx)
  if (changes.length === 0) return
  const shown = changes.map(({ type, created_by: by }) => `${type} by ${by}`).join(', ')
  throw createRefusal(`Since the last import, changes were made here that an update would undo: ${shown}.`)
}

const MAX_SHOWN = 5

/**
 * Types of events that the server's own maintenance causes. All other events that name the server as their author
 * result from people's requests.
 */
const MAINTENANCE_EVENTS = [
  'api-token-deleted',
  'delivery-completed',
  'delivery-overdue',
  'environment-updated',
  'feature-potentially-stale-on',
  'user-created',
  'user-updated',
] as const

/**
 * Returns the first changes by people since the last import, including changes through single sign-on and invite links.
 */
function readChangesSince(tx: Tx): Promise<{ type: string; created_by: string }[]> {
  return tx
    .selectFrom('events')
    .select(['type', 'created_by'])
    .where((is) =>
      is.or([
        is('created_by_user_id', '!=', SYSTEM.userId),
        is('created_by', '!=', SYSTEM.name),
        is('type', 'not in', MAINTENANCE_EVENTS),
      ]),
    )
    .where('id', '>', ({ selectFrom }) =>
      selectFrom('events')
        .select(({ fn, val }) => fn.coalesce(fn.max('id'), val(0)).as('id'))
        .where('type', '=', 'instance-imported'),
    )
    .orderBy('id')
    .limit(MAX_SHOWN)
    .execute()
}

/** Tables to clear, in an order that respects foreign keys. */
const CLEARED_TABLES: readonly (keyof Schema)[] = [
  'feature_dependencies',
  'feature_strategy_segments',
  'feature_strategies',
  'feature_tags',
  'feature_favorites',
  'project_favorites',
  'feature_stages',
  'feature_values',
  'feature_links',
  'feature_comments',
  'feature_environments',
  'features',
  'tags',
  'tag_types',
  'segments',
  'project_environment_defaults',
  'project_environments',
  'project_members',
  'project_groups',
  'group_members',
  'groups',
  'role_permissions',
  'invite_link_users',
  'invite_links',
  'personal_tokens',
  'reset_tokens',
  'sessions',
  'users',
  'integration_project_grants',
  'integrations',
  'client_metrics_variants',
  'client_metrics',
  'client_instance_projects',
  'client_instances',
  'client_application_reach',
  'client_applications',
]

/**
 * Tables of users. These tables are not cleared if the import contains no users, because no one could log in
 * afterwards.
 */
const USER_TABLES: ReadonlySet<keyof Schema> = new Set(['personal_tokens', 'reset_tokens', 'sessions', 'users'])

/** Tokens that the target had before the import, and their projects. */
export interface TargetTokens {
  readonly ids: readonly string[]
  readonly projects: readonly { readonly token_id: string; readonly project: string }[]
}

/** Removes the data that an import will replace. Keeps tokens from the configuration and built-in data. */
export async function clearTarget(tx: Tx, mode: ImportMode, bringsPeople: boolean): Promise<TargetTokens> {
  const known = (await findEarlierImport(tx))?.ownTokens
  const all = await tx.selectFrom('api_tokens').select('id').execute()
  const ids = all.map(({ id }) => id).filter((id) => mode !== 'update' || known?.includes(id) === true)
  const projects = await tx.selectFrom('api_token_projects').selectAll().execute()
  if (mode === 'merge') return { ids, projects: [] }
  for (const table of CLEARED_TABLES) {
    if (bringsPeople || !USER_TABLES.has(table)) await tx.deleteFrom(table).execute()
  }
  await tx.deleteFrom('roles').where('type', 'in', ['custom', 'root-custom']).execute()
  await tx.deleteFrom('strategy_types').where('built_in', '=', 0).execute()
  for (const { id } of all) if (!ids.includes(id)) await tx.deleteFrom('api_tokens').where('id', '=', id).execute()
  if (bringsPeople) await tx.deleteFrom('settings').where('name', '=', 'firstAdmin').execute()
  await tx.deleteFrom('projects').execute()
  await tx.deleteFrom('environments').execute()
  return { ids, projects: projects.filter((row) => ids.includes(row.token_id)) }
}

/** Links the target's own tokens to their projects again, as far as these projects still exist. */
export async function restoreTargetTokens(tx: Tx, { projects }: TargetTokens): Promise<void> {
  const there = new Set((await tx.selectFrom('projects').select('id').execute()).map(({ id }) => id))
  await insertAll(
    tx,
    'api_token_projects',
    projects.filter(({ project }) => there.has(project)),
  )
}
