import type { Event } from '@burgee/protocol/event'
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Reader, Schema } from '../../database.ts'
import { findInContents } from './content-search.ts'
import { buildConditions, type EventConditions, resolveUserIds, selectDepartures } from './event-conditions.ts'
import { type EventNames, matchesText, type NamesByColumn, TEXT_COLUMNS } from './event-names.ts'
import { EVENT_COLUMNS, toEvent } from './events.ts'

/** Search conditions for events. */
export interface EventFilter extends EventConditions {
  /**
   * Text to search for, ignoring case. Compared with the event's type, flag, project, environment and author. A text of
   * three letters or more is also searched for in the values of `data` and `preData`.
   */
  readonly text?: string | undefined
  /** True to include the client address of each event. */
  readonly withAddress: boolean
  readonly limit: number
  readonly offset: number
}

/** Page of events, and the total number of matches. */
export interface EventPage {
  readonly events: Event[]
  readonly total: number
}

/** Maximum number of matches that a text search counts, because a text may occur in a million events. */
export const MAX_COUNTED_EVENTS = 10_000
/**
 * `PROBE`: number of newest events that are examined to estimate how frequent a text is. `MOST_LOOKED_AT`: maximum
 * number of events that are scanned for a frequent text.
 */
const [PROBE, MOST_LOOKED_AT] = [1000, 50_000]
/** Maximum number of matches before a time up to which all matches are read and sorted, to find the newest ones. */
const MAX_SORTED_EVENTS = 100_000
/**
 * Numbers of newest events to which a search is limited. A search that finds too few matches is repeated with the next
 * number.
 */
const SPANS = [25_000, 250_000, Number.POSITIVE_INFINITY]

/**
 * Returns a page of events that match a filter, newest first, and the total number of matches. For a text search, the
 * total is at most 10,000.
 */
export async function searchEvents(reader: Reader, wanted: EventFilter, names: EventNames): Promise<EventPage> {
  const filter = { ...wanted, columns: await resolveUserIds(reader, wanted.columns) }
  const { text = '', limit, offset } = filter
  if (text !== '') {
    const { lastId, findNames, findCachedNames } = await names.lookUp(reader)
    const end = filter.beforeId ?? lastId + 1
    // `after` and `before` already limit the ids
    const ofAnyId = { ...filter, afterId: undefined, beforeId: undefined }
    const kept = (eb: ExpressionBuilder<Schema, 'events'>) => eb.and(buildConditions(eb, ofAnyId))
    const isNarrow = filter.columns.some(({ isWanted }) => isWanted)
    const contents = await findInContents(reader, { text, kept, isNarrow, after: filter.afterId ?? 0, before: end })
    if (findCachedNames(text)?.size === 0) return readContentPage(reader, filter, contents)
    const frequent = await searchFrequent(reader, filter, { text, contents, end })
    return frequent ?? searchNames(reader, filter, { names: await findNames(text), contents, end })
  }
  const query = reader.selectFrom('events').where((eb) => eb.and(buildConditions(eb, filter)))
  const counted = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirst()
  const total = Number(counted?.count ?? 0)
  const moves = await listDepartureEvents(reader, filter)
  const isOld = filter.until !== undefined && total <= MAX_SORTED_EVENTS
  if (moves.length === 0 && !isOld) {
    const page = query.select(EVENT_COLUMNS).orderBy('id', 'desc')
    const rows = await page.limit(limit).offset(offset).execute()
    return { events: rows.map((row) => toEvent(row, filter.withAddress)), total }
  }
  const matches = query.select('id')
  const end = offset + limit
  const newest = isOld
    ? await sortAll(reader, matches).limit(end).execute()
    : await matches.orderBy('id', 'desc').limit(end).execute()
  const ids = [...newest.map(({ id }) => Number(id)), ...moves].sort((a, b) => b - a).slice(offset, offset + limit)
  const events = ids.length === 0 ? [] : await selectEventsByIds(reader, ids)
  return { events: events.map((row) => toEvent(row, filter.withAddress)), total: total + moves.length }
}

/**
 * Sorts all matches. The inner limit prevents the database from walking backwards from the newest event past all events
 * that are too recent.
 */
function sortAll(reader: Reader, matches: SelectQueryBuilder<Schema, 'events', { id: number }>) {
  const found = matches.limit(2 * MAX_SORTED_EVENTS).as('matches')
  return reader.selectFrom(found).select('id').orderBy('id', 'desc')
}

/**
 * Reads a page of events that contain the text only in `data` or `preData`. `contents` are the ids of these events,
 * which meet all other conditions.
 */
async function readContentPage(
  reader: Reader,
  { offset, limit, withAddress }: EventFilter,
  contents: readonly number[],
): Promise<EventPage> {
  const ids = contents.slice(offset, offset + limit)
  const rows = ids.length === 0 ? [] : await selectEventsByIds(reader, ids)
  const events = rows.map((row) => toEvent(row, withAddress))
  return { events, total: Math.min(contents.length, MAX_COUNTED_EVENTS) }
}

function selectEventsByIds(reader: Reader, ids: readonly number[]) {
  return reader
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('id', 'in', [...ids])
    .orderBy('id', 'desc')
    .execute()
}

/** Returns the ids of events that moved a flag out of one of the requested projects (see `selectDepartures`). */
async function listDepartureEvents(reader: Reader, filter: EventFilter): Promise<number[]> {
  const rows = await selectDepartures(reader, filter)?.select('id').execute()
  return (rows ?? []).map(({ id }) => Number(id))
}

/**
 * Searches for a frequent text by scanning the newest events. For a text that occurs in nearly every name, such as a
 * single letter, looking up each name would be slower. Returns undefined if the text is not frequent enough.
 */
async function searchFrequent(
  reader: Reader,
  filter: EventFilter,
  { text, contents, end }: { readonly text: string; readonly contents: readonly number[]; readonly end: number },
): Promise<EventPage | undefined> {
  const { offset, limit, withAddress, afterId = 0 } = filter
  const wanted = Math.max(offset + limit, MAX_COUNTED_EVENTS)
  const among = (span: number) =>
    reader
      .selectFrom('events')
      .where((eb) => eb.and(buildConditions(eb, { ...filter, afterId: Math.max(afterId, end - 1 - span) })))
      .where((eb) =>
        eb.or([...TEXT_COLUMNS.map((column) => matchesText(eb.ref(column), text)), matchesIds(eb, contents)]),
      )
  const count = async (span: number): Promise<number> => {
    const found = among(span).select('id').orderBy('id', 'desc').limit(wanted)
    const row = await reader
      .selectFrom(found.as('found'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirst()
    return Number(row?.count ?? 0)
  }
  const share = (await count(PROBE)) / PROBE
  if (share * MOST_LOOKED_AT < wanted || (await count(MOST_LOOKED_AT)) < wanted) return undefined
  const rows = await among(MOST_LOOKED_AT)
    .select(EVENT_COLUMNS)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { events: rows.map((row) => toEvent(row, withAddress)), total: MAX_COUNTED_EVENTS }
}

/** Matches of a text search: names that contain the text, and ids of events whose `data` or `preData` contain it. */
interface SearchMatches {
  readonly names: NamesByColumn
  readonly contents: readonly number[]
}

/**
 * Searches the newest events first, and continues with older events if there are too few matches. The indexes on the
 * names make a search for rare names fast.
 */
async function searchNames(
  reader: Reader,
  filter: EventFilter,
  { end, ...sought }: SearchMatches & { readonly end: number },
): Promise<EventPage> {
  if (sought.names.size === 0 && sought.contents.length === 0) return { events: [], total: 0 }
  const { offset, limit, withAddress, afterId = 0 } = filter
  const wanted = Math.max(offset + limit, MAX_COUNTED_EVENTS)
  let [total, from] = [0, afterId]
  for (const span of SPANS) {
    from = Math.max(afterId, end - span)
    total = await countFound(reader, filter, sought, from)
    if (total >= wanted || from <= afterId) break
  }
  const found = selectIds(reader, filter, sought, from).orderBy('id', 'desc').limit(limit).offset(offset)
  const rows = await reader
    .selectFrom(found.as('found'))
    .innerJoin('events', 'events.id', 'found.id')
    .select(EVENT_COLUMNS.map((column) => `events.${column}` as const))
    .orderBy('events.id', 'desc')
    .execute()
  return { events: rows.map((row) => toEvent(row, withAddress)), total: Math.min(total, MAX_COUNTED_EVENTS) }
}

async function countFound(reader: Reader, filter: EventFilter, sought: SearchMatches, from: number): Promise<number> {
  const row = await reader
    .selectFrom(selectIds(reader, filter, sought, from).as('found'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/**
 * Selects the distinct ids of matching events: events with one of the names in an indexed column, and events with the
 * text in `data` or `preData`.
 */
function selectIds(reader: Reader, filter: EventFilter, { names, contents }: SearchMatches, from: number) {
  const kept = () =>
    reader
      .selectFrom('events')
      .select('id')
      .where((eb) => eb.and(buildConditions(eb, { ...filter, afterId: from })))
  const byName = [...names].map(([column, values]) => kept().where(column, 'in', [...values]))
  const byContents = contents.length === 0 ? [] : [kept().where((eb) => matchesIds(eb, contents))]
  const [first, ...others] = [...byName, ...byContents]
  if (first === undefined) throw new Error('No text to look for')
  return reader.selectFrom(others.reduce((one, other) => one.union(other), first).as('any_of')).select('id')
}

function matchesIds(eb: ExpressionBuilder<Schema, 'events'>, ids: readonly number[]): Expression<SqlBool> {
  return ids.length === 0 ? sql<boolean>`1 = 0` : eb('id', 'in', [...ids])
}
