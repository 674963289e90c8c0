import type { Creator } from '@burgee/protocol/administration/project-status'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '../database.ts'
import { currentMark, type Mark, sequelOf } from '../epochs.ts'

/** Event columns that a text search compares with the text. Each has an index on name and id. */
export const TEXT_COLUMNS = ['type', 'feature_name', 'project', 'environment', 'created_by'] as const

export type TextColumn = (typeof TEXT_COLUMNS)[number]

/** Names that contain the searched text, by event column. Columns without such names are missing. */
export type NamesByColumn = ReadonlyMap<TextColumn, readonly string[]>

/** Names in the events of one database snapshot. */
export interface SeenEvents {
  /** Id of the last event in the snapshot; 0 without events. */
  readonly lastId: number
  /** Finds the names that contain a text, ignoring case. */
  readonly holding: (text: string) => Promise<NamesByColumn>
}

/**
 * Cached names of all events up to `mark`, each with its lower-case form. Undefined if there are too many names to
 * cache.
 */
interface Kept {
  mark: Mark
  readonly names: ReadonlyMap<TextColumn, Map<string, string>> | undefined
}

/**
 * Maximum number of cached names. Searching that many takes a few milliseconds. If there are more names, the database
 * searches them.
 */
const MOST_KEPT = 50_000
/** Number of new events after which all names are read again. */
const MOST_NEW = 1000

/**
 * Cache of the names that occur in events. There are many events but few different names, and without the cache,
 * finding the names would take nine tenths of a search. Each lookup first adds the names of new events. Names of
 * deleted events stay until all names are read again; a search for them finds no events.
 */
export class EventNames {
  readonly #mostKept: number
  #kept: Kept | undefined

  constructor({ mostKept = MOST_KEPT }: { readonly mostKept?: number } = {}) {
    this.#mostKept = mostKept
  }

  /** @param reader sees one snapshot in all its queries */
  async look(reader: Reader): Promise<SeenEvents> {
    const kept = this.#kept
    const { epoch, lastId, isKept } = await sequelOf(reader, kept?.mark ?? NO_EVENT)
    const isSequel = kept !== undefined && isKept && epoch === kept.mark.epoch && lastId - kept.mark.id <= MOST_NEW
    return {
      lastId,
      holding: async (text) => {
        const { names } = isSequel ? await this.#bringIn(reader, kept, lastId) : await this.#readAll(reader)
        return names === undefined ? namesHolding(reader, text) : namesAmong(names, text)
      },
    }
  }

  async #readAll(reader: Reader): Promise<Kept> {
    const mark = await currentMark(reader)
    const rows = await listNames(reader, undefined, this.#mostKept + 1)
    const names = new Map(TEXT_COLUMNS.map((column) => [column, new Map<string, string>()]))
    for (const { place, name } of rows) add(names, place, name)
    this.#kept = { mark, names: rows.length > this.#mostKept ? undefined : names }
    return this.#kept
  }

  /**
   * Adds the names of new events to the cache. Lookups with an older snapshot then get these names too, but find no
   * events for them.
   */
  async #bringIn(reader: Reader, kept: Kept, lastId: number): Promise<Kept> {
    const { names, mark } = kept
    if (names === undefined || lastId <= mark.id) return kept
    const rows = await reader
      .selectFrom('events')
      .select(['id', 'created_at', ...TEXT_COLUMNS])
      .where('id', '>', mark.id)
      .orderBy('id')
      // the id condition never excludes a row, but without it PostgreSQL may scan the whole table
      .limit(MOST_NEW)
      .execute()
    for (const row of rows) for (const column of TEXT_COLUMNS) add(names, column, row[column])
    const last = rows.at(-1)
    if (last !== undefined && last.id > kept.mark.id) kept.mark = { ...mark, id: last.id, madeAt: last.created_at }
    // read all names at the next lookup, because many of them may be obsolete
    const count = TEXT_COLUMNS.reduce((sum, column) => sum + (names.get(column)?.size ?? 0), 0)
    if (count > this.#mostKept && this.#kept === kept) this.#kept = undefined
    return kept
  }
}

const NO_EVENT: Mark = { epoch: '', id: 0, madeAt: null }

function add(names: NonNullable<Kept['names']>, column: TextColumn, name: string | null): void {
  const known = names.get(column)
  if (name !== null && known !== undefined && !known.has(name)) known.set(name, name.toLowerCase())
}

function namesAmong(names: NonNullable<Kept['names']>, text: string): NamesByColumn {
  const wanted = text.toLowerCase()
  const found = new Map<TextColumn, readonly string[]>()
  for (const [column, known] of names) {
    const holding: string[] = []
    for (const [name, compared] of known) if (compared.includes(wanted)) holding.push(name)
    if (holding.length > 0) found.set(column, holding)
  }
  return found
}

/** Finds the names of events that contain a text, ignoring case, in one query. */
async function namesHolding(reader: Reader, text: string): Promise<NamesByColumn> {
  const rows = await listNames(reader, (name) => holds(name, text))
  return new Map([...Map.groupBy(rows, ({ place }) => place)].map(([place, names]) => [place, names.map(nameOf)]))
}

interface Place {
  readonly place: TextColumn
  readonly name: string
}

/** Lists the distinct names in all columns. Finds each name by looking up the next greater name in the index. */
async function listNames(
  reader: Reader,
  isWanted: (name: Expression<unknown>) => RawBuilder<SqlBool> = (name) => sql<SqlBool>`${name} is not null`,
  most?: number,
): Promise<Place[]> {
  const lists = TEXT_COLUMNS.map((column) => listOf(column))
  const found = TEXT_COLUMNS.map(
    (column) =>
      sql`select ${sql.lit(column)} as place, name from ${sql.table(listName(column))} where ${isWanted(sql.ref('name'))}`,
  )
  const limit = most === undefined ? sql`` : sql`limit ${sql.lit(most)}`
  const query = sql<Place>`with recursive ${sql.join(lists)} ${sql.join(found, sql` union all `)} ${limit}`
  return (await query.execute(reader as never)).rows
}

const nameOf = ({ name }: { readonly name: string }): string => name
const listName = (column: TextColumn): string => `names_of_${column}`

function listOf(column: TextColumn): RawBuilder<unknown> {
  const [list, name] = [sql.table(listName(column)), sql.ref(column)]
  return sql`${list}(name) as (select min(${name}) from events union all
    select (select min(${name}) from events where ${name} > ${list}.name) from ${list} where ${list}.name is not null)`
}

/** Events that must be hidden from a reader. */
export interface UnseenEvents {
  /** Ids of the projects whose events are hidden. */
  readonly projects: readonly string[]
  /** Prefixes of the event types that are hidden. */
  readonly types: readonly string[]
}

/**
 * Returns the authors of the events that the reader may see, sorted by name. The user id of an author comes from the
 * author's latest such event.
 */
export async function eventCreators(reader: Reader, { projects, types }: UnseenEvents): Promise<Creator[]> {
  const [list, name] = [sql.table(listName('created_by')), sql.ref('created_by')]
  const seen = [
    ...(projects.length === 0 ? [] : [sql`(e.project is null or e.project not in (${sql.join(projects)}))`]),
    ...types.map((type) => sql`substr(e.type, 1, ${sql.lit(type.length)}) <> ${type}`),
  ]
  const conditions = sql.join([sql`e.${name} = ${list}.name`, ...seen], sql` and `)
  const last = sql`(select e.created_by_user_id from events e where ${conditions} order by e.id desc limit 1)`
  const query = sql<Creator>`with recursive ${listOf('created_by')}
    select name, id from (select name, ${last} as id from ${list} where name is not null) as found
    where id is not null order by name`
  return (await query.execute(reader as never)).rows.map((row) => ({ id: Number(row.id), name: row.name }))
}

/**
 * Matches names that contain a text. Compares the name with the result of removing the text from it, because LIKE
 * treats case and escapes differently in the two databases.
 */
export function holds(name: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`replace(lower(${name}), lower(cast(${text} as text)), '') <> lower(${name})`
}
