import type { Creator } from '@burgee/protocol/administration/project-status'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '../../database.ts'
import { comparePosition, type Position, readPosition } from '../../epochs.ts'

/**
 * Event columns that a text search compares with the text. Each of these columns has an index on the column and the
 * event id.
 */
export const TEXT_COLUMNS = ['type', 'feature_name', 'project', 'environment', 'created_by'] as const

export type TextColumn = (typeof TEXT_COLUMNS)[number]

/** Names that contain the searched text, by event column. Columns without such names are omitted. */
export type NamesByColumn = ReadonlyMap<TextColumn, readonly string[]>

/** Names in the events of one database snapshot. */
export interface EventNameLookup {
  /** Id of the last event in the snapshot; 0 without events. */
  readonly lastId: number
  /** Finds the names that contain a text, ignoring case. */
  readonly findNames: (text: string) => Promise<NamesByColumn>
  /**
   * Finds the names that contain a text in the cache, without a query. Undefined if the cache does not contain the
   * names of all events.
   */
  readonly findCachedNames: (text: string) => NamesByColumn | undefined
}

/**
 * Cached names in all events up to `position`, each with its lower-case form. `names` is undefined if there are too
 * many names to cache.
 */
interface CachedNames {
  position: Position
  readonly names: ReadonlyMap<TextColumn, Map<string, string>> | undefined
}

/**
 * Maximum number of cached names; this many can be searched in a few milliseconds. If there are more names, the
 * database searches them instead.
 */
const MAX_CACHED_NAMES = 50_000
/** Number of new events after which the whole cache is read again. */
const MAX_NEW_EVENTS = 1000

/**
 * Cache of the names that occur in events. There are far more events than distinct names in events. Without the cache,
 * nine tenths of the time of a search would be spent on finding names in the database. Each lookup first adds the names
 * of new events to the cache. Names of deleted events stay in the cache until all names are read again; a search for
 * such a name finds no events.
 */
export class EventNames {
  readonly #maxCachedNames: number
  #cached: CachedNames | undefined

  constructor({ mostKept = MAX_CACHED_NAMES }: { readonly mostKept?: number } = {}) {
    this.#maxCachedNames = mostKept
  }

  /** @param reader must see the same snapshot in all its queries */
  async lookUp(reader: Reader): Promise<EventNameLookup> {
    const kept = this.#cached
    const { epoch, lastId, isUnchanged } = await comparePosition(reader, kept?.position ?? NO_EVENT)
    const isSequel =
      kept !== undefined && isUnchanged && epoch === kept.position.epoch && lastId - kept.position.id <= MAX_NEW_EVENTS
    return {
      lastId,
      findCachedNames: (text) =>
        isSequel && kept.names !== undefined && lastId === kept.position.id ? filterNames(kept.names, text) : undefined,
      findNames: async (text) => {
        const { names } = isSequel ? await this.#addNewNames(reader, kept, lastId) : await this.#readAll(reader)
        return names === undefined ? readNamesContaining(reader, text) : filterNames(names, text)
      },
    }
  }

  async #readAll(reader: Reader): Promise<CachedNames> {
    const mark = await readPosition(reader)
    const rows = await listNames(reader, undefined, this.#maxCachedNames + 1)
    const names = new Map(TEXT_COLUMNS.map((column) => [column, new Map<string, string>()]))
    for (const { place, name } of rows) add(names, place, name)
    this.#cached = { position: mark, names: rows.length > this.#maxCachedNames ? undefined : names }
    return this.#cached
  }

  /**
   * Adds the names of new events to the cache. A lookup with an older snapshot may also find the new names, but then
   * finds no events that contain them.
   */
  async #addNewNames(reader: Reader, kept: CachedNames, lastId: number): Promise<CachedNames> {
    const { names, position } = kept
    if (names === undefined || lastId <= position.id) return kept
    const rows = await reader
      .selectFrom('events')
      .select(['id', 'created_at', ...TEXT_COLUMNS])
      .where('id', '>', position.id)
      .orderBy('id')
      // the id condition excludes no row, but without it PostgreSQL may scan the whole table
      .limit(MAX_NEW_EVENTS)
      .execute()
    for (const row of rows) for (const column of TEXT_COLUMNS) add(names, column, row[column])
    const last = rows.at(-1)
    if (last !== undefined && last.id > kept.position.id)
      kept.position = { ...position, id: last.id, madeAt: last.created_at }
    // drops the cache so that the next lookup reads all names, because many cached names may be obsolete
    const count = TEXT_COLUMNS.reduce((sum, column) => sum + (names.get(column)?.size ?? 0), 0)
    if (count > this.#maxCachedNames && this.#cached === kept) this.#cached = undefined
    return kept
  }
}

const NO_EVENT: Position = { epoch: '', id: 0, madeAt: null }

function add(names: NonNullable<CachedNames['names']>, column: TextColumn, name: string | null): void {
  const known = names.get(column)
  if (name !== null && known !== undefined && !known.has(name)) known.set(name, name.toLowerCase())
}

function filterNames(names: NonNullable<CachedNames['names']>, text: string): NamesByColumn {
  const wanted = text.toLowerCase()
  const found = new Map<TextColumn, readonly string[]>()
  for (const [column, known] of names) {
    const holding: string[] = []
    for (const [name, compared] of known) if (compared.includes(wanted)) holding.push(name)
    if (holding.length > 0) found.set(column, holding)
  }
  return found
}

/** Finds the names in events that contain a text, ignoring case, with one query. */
async function readNamesContaining(reader: Reader, text: string): Promise<NamesByColumn> {
  const rows = await listNames(reader, (name) => matchesText(name, text))
  return new Map([...Map.groupBy(rows, ({ place }) => place)].map(([place, names]) => [place, names.map(getName)]))
}

interface NameRow {
  readonly place: TextColumn
  readonly name: string
}

/**
 * Lists the distinct names in each column. Finds each name by looking up the next greater name in the index of the
 * column.
 */
async function listNames(
  reader: Reader,
  isWanted: (name: Expression<unknown>) => RawBuilder<SqlBool> = (name) => sql<SqlBool>`${name} is not null`,
  most?: number,
): Promise<NameRow[]> {
  const lists = TEXT_COLUMNS.map((column) => buildNameList(column))
  const found = TEXT_COLUMNS.map(
    (column) =>
      sql`select ${sql.lit(column)} as place, name from ${sql.table(getListName(column))} where ${isWanted(sql.ref('name'))}`,
  )
  const limit = most === undefined ? sql`` : sql`limit ${sql.lit(most)}`
  const query = sql<NameRow>`with recursive ${sql.join(lists)} ${sql.join(found, sql` union all `)} ${limit}`
  return (await query.execute(reader as never)).rows
}

const getName = ({ name }: { readonly name: string }): string => name
const getListName = (column: TextColumn): string => `names_of_${column}`

function buildNameList(column: TextColumn): RawBuilder<unknown> {
  const [list, name] = [sql.table(getListName(column)), sql.ref(column)]
  return sql`${list}(name) as (select min(${name}) from events union all
    select (select min(${name}) from events where ${name} > ${list}.name) from ${list} where ${list}.name is not null)`
}

/** Events that must be hidden from a reader. */
export interface HiddenEvents {
  /** Ids of the projects whose events are hidden. */
  readonly projects: readonly string[]
  /** Prefixes of the event types that are hidden. */
  readonly types: readonly string[]
}

/**
 * Returns the authors of the events that the reader may see, sorted by name. The user id of each author comes from the
 * latest event that the reader may see.
 */
export async function listEventCreators(reader: Reader, { projects, types }: HiddenEvents): Promise<Creator[]> {
  const [list, name] = [sql.table(getListName('created_by')), sql.ref('created_by')]
  const seen = [
    ...(projects.length === 0 ? [] : [sql`(e.project is null or e.project not in (${sql.join(projects)}))`]),
    ...types.map((type) => sql`substr(e.type, 1, ${sql.lit(type.length)}) <> ${type}`),
  ]
  const conditions = sql.join([sql`e.${name} = ${list}.name`, ...seen], sql` and `)
  const last = sql`(select e.created_by_user_id from events e where ${conditions} order by e.id desc limit 1)`
  const query = sql<Creator>`with recursive ${buildNameList('created_by')}
    select name, id from (select name, ${last} as id from ${list} where name is not null) as found
    where id is not null order by name`
  return (await query.execute(reader as never)).rows.map((row) => ({ id: Number(row.id), name: row.name }))
}

/**
 * SQL condition that is true for names that contain a text. Checks whether removing the text changes the name, because
 * the two databases differ in how LIKE treats case and escapes.
 */
export function matchesText(name: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`replace(lower(${name}), lower(cast(${text} as text)), '') <> lower(${name})`
}
