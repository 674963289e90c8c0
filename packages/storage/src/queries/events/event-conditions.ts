import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import type { TextColumn } from './event-names.ts'

/** Condition on a column: its value must be in the list, or must not be in the list. */
export interface ColumnFilter {
  readonly column: TextColumn
  readonly isWanted: boolean
  readonly values: readonly string[]
  /** User ids of authors; an event matches if its author's name is in `values` or its author's id is in `userIds`. */
  readonly userIds?: readonly number[]
}

/** Conditions on events; an event must meet all of them. Times are in milliseconds since 1970; `until` is exclusive. */
export interface EventConditions {
  readonly columns: readonly ColumnFilter[]
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** If given, only events with a higher id, and therefore committed later, are returned. */
  readonly afterId?: number | undefined
  /** If given, only events with a lower id, and therefore committed earlier, are returned. */
  readonly beforeId?: number | undefined
  /** True for events that agents caused, false for all other events. */
  readonly byAgents?: boolean | undefined
  /** Prefixes of event types; events of these types are left out. */
  readonly hidden: readonly string[]
}

/** Matches the canonical decimal form of a user id. Ids of tokens and of the system are negative. */
const USER_ID = /^(0|-?[1-9]\d{0,8})$/

/**
 * Interprets author names that are numbers as user ids. A number that is also the name of an author matches the name as
 * well as the id. Runs one statement per filter, because a query may contain hundreds of names.
 */
export async function resolveUserIds(reader: Reader, columns: readonly ColumnFilter[]): Promise<ColumnFilter[]> {
  const resolved: ColumnFilter[] = []
  for (const filter of columns) {
    const numbers = filter.column === 'created_by' ? filter.values.filter((value) => USER_ID.test(value)) : []
    if (numbers.length === 0) {
      resolved.push(filter)
      continue
    }
    const names = await findAuthorNames(reader, new Set(numbers))
    const values = filter.values.filter((value) => !numbers.includes(value) || names.has(value))
    resolved.push({ ...filter, values, userIds: numbers.map(Number) })
  }
  return resolved
}

/** Returns those of the given numbers that are also names of authors. */
async function findAuthorNames(reader: Reader, numbers: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const part of chunks([...numbers])) {
    // a subquery per name reads one row from the index; `in` would read every event of these authors
    const columns = part.map((name) =>
      sql<SqlBool>`exists (select 1 from events where created_by = ${name})`.as(`name ${name}`),
    )
    const row = await reader.selectFrom('events').select(columns).limit(1).executeTakeFirst()
    for (const name of part) if (row?.[`name ${name}`]) found.add(name)
  }
  return found
}

/**
 * Selects events that moved a flag out of one of the requested projects and that meet the other conditions. A separate
 * query is needed because such an event is stored under the project to which the flag was moved. Returns undefined if
 * the filter names no projects.
 */
export function selectDepartures(reader: Reader, filter: EventConditions) {
  const projects = filter.columns.filter(({ column, isWanted }) => column === 'project' && isWanted)
  const [wanted, ...others] = projects
  if (wanted === undefined || others.length > 0) return undefined
  const rest = { ...filter, columns: filter.columns.filter((one) => one !== wanted) }
  return reader
    .selectFrom('events')
    .where('type', '=', 'feature-project-change')
    .where('project', 'not in', [...wanted.values])
    .where((eb) => eb.or(wanted.values.map((project) => isMoveFrom(eb, project))))
    .where((eb) => eb.and(buildConditions(eb, rest)))
}

function isMoveFrom(eb: ExpressionBuilder<Schema, 'events'>, project: string): Expression<SqlBool> {
  const text = JSON.stringify(project).replaceAll(/[%_^]/g, '^$&')
  return sql<boolean>`${eb.ref('data')} like ${`%"oldProject":${text}%`} escape '^'`
}

function buildColumnCondition(
  eb: ExpressionBuilder<Schema, 'events'>,
  { column, isWanted, values, userIds = [] }: ColumnFilter,
): Expression<SqlBool> {
  const ids = [...userIds]
  if (isWanted) {
    const named = values.length === 0 ? [] : [eb(column, 'in', [...values])]
    return eb.or([...named, ...(ids.length === 0 ? [] : [eb('created_by_user_id', 'in', ids)])])
  }
  const named = values.length === 0 ? [] : [eb.or([eb(column, 'is', null), eb(column, 'not in', [...values])])]
  return eb.and([...named, ...(ids.length === 0 ? [] : [eb('created_by_user_id', 'not in', ids)])])
}

/** Builds the SQL conditions of a filter. */
export function buildConditions(
  eb: ExpressionBuilder<Schema, 'events'>,
  filter: EventConditions,
): Expression<SqlBool>[] {
  const found = filter.columns.map((one) => buildColumnCondition(eb, one))
  if (filter.from !== undefined) found.push(eb('created_at', '>=', filter.from))
  if (filter.until !== undefined) found.push(eb('created_at', '<', filter.until))
  if (filter.afterId !== undefined) found.push(eb('id', '>', filter.afterId))
  if (filter.beforeId !== undefined) found.push(eb('id', '<', filter.beforeId))
  if (filter.byAgents !== undefined) found.push(eb('agent', filter.byAgents ? 'is not' : 'is', null))
  for (const prefix of filter.hidden) {
    found.push(eb(eb.fn<string>('substr', ['type', eb.val(1), eb.val(prefix.length)]), '!=', prefix))
  }
  return found
}
