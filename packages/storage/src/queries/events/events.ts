import type { EventAgent } from '@burgee/protocol/administration/agent'
import type { Event, EventType, Tag } from '@burgee/protocol/event'
import { EVENTS } from '@burgee/protocol/event'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import { isSqlite } from '../../dialect.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'

/** Event that describes a change, before it is stored. Fields that do not apply to the change are omitted. */
export interface NewEvent {
  readonly type: EventType
  readonly project?: string | undefined
  readonly environment?: string | undefined
  readonly featureName?: string | undefined
  /** State after the change, without secrets. */
  readonly data?: unknown
  /** State before the change, without secrets. */
  readonly preData?: unknown
  /** Data that allows a past state to be reconstructed by undoing the change. Stored, but never shown to clients. */
  readonly undo?: unknown
  /** True if the event removes an override for one user, which files do not describe. Not stored. */
  readonly isOverride?: true
}

/** Event columns that are read for clients: all except `undo`, which can be long. */
export const EVENT_COLUMNS = [
  ...(['id', 'created_at', 'type', 'created_by', 'created_by_user_id', 'project', 'environment'] as const),
  ...(['feature_name', 'data', 'pre_data', 'tags', 'reach', 'address', 'agent'] as const),
] as const

/** Method and route pattern of a request. The URL itself is omitted, because its path and query can contain secrets. */
export interface RequestRoute {
  readonly method: string
  readonly route: string
}

/** Author of a change, as recorded in events. */
export interface Author {
  /** E-mail or username of the user, or name of the token. */
  readonly name: string
  /** Id of the user; −42 for admin tokens, −1337 for the server itself. */
  readonly userId: number
  readonly address: string | null
  /** Request that made the change, for the security log; undefined if no request made it. */
  readonly via?: RequestRoute
  /** Agent that made the change on behalf of the author; undefined if no agent was involved. */
  readonly agent?: EventAgent
}

/**
 * Committed event in the form that clients receive, with the environments in which it changes what SDKs download (see
 * Schema.events.reach).
 */
export interface StoredEvent extends Event {
  readonly reach: string | null
}

/**
 * Inserts events in the given order, each with the current tags of its flag, and resolves with their ids. All
 * statements are sent before the promise is returned. Throws if an event cannot be serialized as JSON.
 */
export function insertEvents(
  tx: Tx,
  author: Author,
  events: readonly NewEvent[],
  now: number,
): Promise<readonly StoredEvent[]> {
  const parts = chunks(events).map((part) => ({ part, rows: part.map((event) => toRow(author, event, now)) }))
  const sent = parts.map(async ({ part, rows }) => {
    const [row, ...others] = rows
    const written = row !== undefined && others.length === 0 ? await insertEvent(tx, row) : await insertRows(tx, rows)
    // ids ascend in the order of insertion, but the database can return the rows in any order
    const ordered = written.toSorted((a, b) => a.id - b.id)
    return part.flatMap((event, index) => {
      const row = ordered[index]
      return row === undefined ? [] : [toStoredEvent(author, event, now, row)]
    })
  })
  return Promise.all(sent).then((all) => all.flat())
}

type EventRow = ReturnType<typeof toRow>

/** Inserts a single event, because most changes write exactly one. */
const insertEvent = defineStatement((tx: Tx, at: Placeholders<EventRow>) =>
  tx
    .insertInto('events')
    .values({
      type: at('type'),
      project: at('project'),
      environment: at('environment'),
      created_at: at('created_at'),
      created_by: at('created_by'),
      created_by_user_id: at('created_by_user_id'),
      address: at('address'),
      feature_name: at('feature_name'),
      data: at('data'),
      pre_data: at('pre_data'),
      reach: at('reach'),
      undo: at('undo'),
      agent: at('agent'),
      tags: selectTagsAsJson(tx, at('feature_name')),
    })
    .returning(['id', 'tags']),
)

function insertRows(tx: Tx, rows: readonly EventRow[]) {
  const values = rows.map((row) => ({ ...row, tags: selectTagsAsJson(tx, row.feature_name) }))
  return tx.insertInto('events').values(values).returning(['id', 'tags']).execute()
}

function toRow(author: Author, event: NewEvent, now: number) {
  return {
    type: event.type,
    project: event.project ?? null,
    environment: event.environment ?? null,
    created_at: now,
    created_by: author.name,
    created_by_user_id: author.userId,
    address: author.address,
    feature_name: event.featureName ?? null,
    data: JSON.stringify(event.data ?? null),
    pre_data: JSON.stringify(event.preData ?? null),
    reach: getAffectedEnvironments(event),
    undo: event.undo === undefined ? null : JSON.stringify(event.undo),
    agent: author.agent === undefined ? null : JSON.stringify(author.agent),
  }
}

function toStoredEvent(
  author: Author,
  event: NewEvent,
  now: number,
  row: Pick<StoredEvent, 'id' | 'tags'>,
): StoredEvent {
  return {
    id: row.id,
    createdAt: new Date(now).toISOString(),
    type: event.type,
    project: event.project ?? null,
    environment: event.environment ?? null,
    createdBy: author.name,
    createdByUserId: author.userId,
    featureName: event.featureName ?? null,
    data: event.data ?? null,
    preData: event.preData ?? null,
    tags: row.tags,
    ...(author.agent === undefined ? {} : { agent: author.agent }),
    reach: getAffectedEnvironments(event),
  }
}

/** Returns the value of Schema.events.reach for an event: the environments whose SDK downloads the event changes. */
export function getAffectedEnvironments({ type, environment }: NewEvent): string | null {
  return EVENTS[type] ? (environment ?? '') : null
}

/**
 * SQL expression for the tags of a flag as JSON in the compact form of JSON.stringify, sorted by type and value. If
 * `flag` is null, the expression is an empty list.
 */
function selectTagsAsJson(tx: Tx, flag: string | null): RawBuilder<string> {
  if (isSqlite(tx)) {
    return sql`(select json_group_array(json_object('value', value, 'type', type) order by type, value)
      from feature_tags where feature_name = ${flag})`
  }
  return sql`(select coalesce('[' || string_agg('{"value":' || to_json(value::text) || ',"type":' || to_json(type::text)
    || '}', ',' order by type, value) || ']', '[]') from feature_tags where feature_name = ${flag})`
}

/** Selection of one page of events. Without a limit, all events are selected. */
export interface EventPageOptions {
  /** True to include the client address of each event. */
  readonly withAddress?: boolean | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Ids of projects whose events are omitted. */
  readonly hidden?: readonly string[] | undefined
}

/** Returns the events of one flag, newest first. Returns an empty list if the flag never existed. */
export async function listFeatureEvents(
  reader: Reader,
  featureName: string,
  page: EventPageOptions = {},
): Promise<Event[]> {
  const { limit, offset = 0, withAddress, hidden } = page
  let query = selectFeatureEvents(reader, featureName, hidden).select(EVENT_COLUMNS).orderBy('id', 'desc')
  if (limit !== undefined || offset > 0) query = query.limit(limit ?? Number.MAX_SAFE_INTEGER).offset(offset)
  return (await query.execute()).map((row) => toEvent(row, withAddress))
}

/** Counts the events of one flag. */
export async function countFeatureEvents(
  reader: Reader,
  featureName: string,
  hidden?: readonly string[] | undefined,
): Promise<number> {
  const row = await selectFeatureEvents(reader, featureName, hidden)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

function selectFeatureEvents(reader: Reader, featureName: string, hidden: readonly string[] = []) {
  const query = reader.selectFrom('events').where('feature_name', '=', featureName)
  if (hidden.length === 0) return query
  return query.where(({ or, eb }) => or([eb('project', 'is', null), eb('project', 'not in', hidden)]))
}

/** Returns events by id, newest first; includes the client addresses if `withAddress` is true. */
export async function listEventsByIds(reader: Reader, ids: readonly number[], withAddress = false): Promise<Event[]> {
  if (ids.length === 0) return []
  const query = reader.selectFrom('events').select(EVENT_COLUMNS).where('id', 'in', ids).orderBy('id', 'desc')
  return (await query.execute()).map((row) => toEvent(row, withAddress))
}

/** Returns the id of the last event; 0 if there are no events. */
export async function readNewestEventId(reader: Reader): Promise<number> {
  const row = await reader.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

/**
 * Converts a row to an event in the form that clients receive; includes the client address if `withAddress` is true.
 */
export function toEvent(row: Omit<Selectable<Schema['events']>, 'undo'>, withAddress = false): Event {
  return {
    id: row.id,
    type: row.type,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at).toISOString(),
    createdByUserId: row.created_by_user_id,
    data: row.data,
    preData: row.pre_data,
    tags: row.tags,
    featureName: row.feature_name,
    project: row.project,
    environment: row.environment,
    ...(row.agent === null ? {} : { agent: row.agent }),
    ...(withAddress ? { ip: row.address } : {}),
  }
}

/** Returns the tags of a flag, sorted by type and value. */
export async function listTags(reader: Reader, featureName: string): Promise<Tag[]> {
  return reader
    .selectFrom('feature_tags')
    .select(['value', 'type'])
    .where('feature_name', '=', featureName)
    .orderBy('type')
    .orderBy('value')
    .execute()
}
