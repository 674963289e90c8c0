import type { Creator } from '@burgee/protocol/administration/project-status'
import { sql } from 'kysely'
import type { Reader } from '../../database.ts'
import type { StageRow } from '../usage/stages.ts'

const DAY_MS = 86_400_000

/** Flag with the lifecycle stages that it has reached. Times are in milliseconds since 1970. */
export interface FlagLifecycle {
  readonly created_at: number
  readonly archived_at: number | null
  readonly stages: readonly StageRow[]
}

/**
 * Returns the flags of all projects or of one project, including archived flags. The lifecycle stages of each flag are
 * sorted from oldest to newest. Takes two queries.
 */
export async function listFlagLifecycles(reader: Reader, project?: string): Promise<FlagLifecycle[]> {
  let flags = reader.selectFrom('features').select(['name', 'created_at', 'archived_at'])
  let reached = reader
    .selectFrom('feature_stages as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .selectAll('s')
    .orderBy('s.entered_at')
    .orderBy('s.stage', 'desc')
  if (project !== undefined) {
    flags = flags.where('project', '=', project)
    reached = reached.where('f.project', '=', project)
  }
  const rows = await flags.execute()
  const stages = Map.groupBy(await reached.execute(), (row) => row.feature_name)
  return rows.map(({ name, ...row }) => ({ ...row, stages: stages.get(name) ?? [] }))
}

/** Counts the events of a project per day (UTC) since a time, sorted by day; days without events are omitted. */
export async function countEventsByDay(reader: Reader, project: string, since: number) {
  const day = sql<number>`created_at / ${sql.lit(DAY_MS)}`
  const rows = await reader
    .selectFrom('events')
    .select(({ fn }) => [day.as('day'), fn.countAll<number>().as('count')])
    .where('project', '=', project)
    .where('created_at', '>=', since)
    .groupBy(day)
    .orderBy(day)
    .execute()
  return rows.map((row) => ({
    date: new Date(Number(row.day) * DAY_MS).toISOString().slice(0, 10),
    count: Number(row.count),
  }))
}

/** Counts the API tokens and segments of a project, with two queries. */
export async function countResources(
  reader: Reader,
  project: string,
): Promise<{ apiTokens: number; segments: number }> {
  const tokens = await reader
    .selectFrom('api_token_projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project', '=', project)
    .executeTakeFirst()
  const segments = await reader
    .selectFrom('segments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project', '=', project)
    .executeTakeFirst()
  return { apiTokens: Number(tokens?.count ?? 0), segments: Number(segments?.count ?? 0) }
}

/**
 * Returns the creators of the flags that exist in a project, sorted by name. If a user's name has changed, returns the
 * most recent name.
 */
export async function listFlagCreators(reader: Reader, project: string): Promise<Creator[]> {
  const rows = await reader
    .selectFrom('features')
    .select(['created_by_user_id as id', 'created_by as name'])
    .where('project', '=', project)
    .where('created_by', 'is not', null)
    .orderBy('created_at')
    .execute()
  const latest = new Map(
    rows.flatMap(({ id, name }) => (id === null || name === null ? [] : [[getCreatorKey(id, name), { id, name }]])),
  )
  return [...latest.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Returns a key that identifies a creator. For a user, the key is the id. API tokens share one id, so their key
 * contains the name.
 */
function getCreatorKey(id: number, name: string): string {
  return id > 0 ? String(id) : `${id} ${name}`
}
