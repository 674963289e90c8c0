import type { Event } from '@burgee/protocol/event'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Reader, Schema } from '../database.ts'
import { eventView } from './events.ts'

/** A column that must, or must not, have one of some values. */
export interface ColumnFilter {
  readonly column: 'type' | 'feature_name' | 'project' | 'environment' | 'created_by'
  readonly isWanted: boolean
  readonly values: readonly string[]
}

/** What events are asked for; a time is in milliseconds since 1970, the end is not included. */
export interface EventFilter {
  readonly columns: readonly ColumnFilter[]
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** Only events with a higher id: what came since. Ids rise in the order of commits. */
  readonly afterId?: number | undefined
  /** Only events with a lower id: what was before. */
  readonly beforeId?: number | undefined
  /** Text in type, flag, project, environment or author, whatever its case. */
  readonly text?: string | undefined
  /** First parts of types that are left out. */
  readonly hidden: readonly string[]
  /** Also says from which address each was done. */
  readonly withAddress: boolean
  readonly limit: number
  readonly offset: number
}

const TEXT_COLUMNS = ['type', 'feature_name', 'project', 'environment', 'created_by'] as const

/** Events that a filter keeps, newest first, and how many there are of them; two queries. */
export async function searchEvents(reader: Reader, filter: EventFilter): Promise<{ events: Event[]; total: number }> {
  const query = reader.selectFrom('events').where((eb) => eb.and(conditions(eb, filter)))
  const rows = await query.selectAll().orderBy('id', 'desc').limit(filter.limit).offset(filter.offset).execute()
  const counted = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirst()
  return { events: rows.map((row) => eventView(row, filter.withAddress)), total: Number(counted?.count ?? 0) }
}

function conditions(eb: ExpressionBuilder<Schema, 'events'>, filter: EventFilter): Expression<SqlBool>[] {
  const found: Expression<SqlBool>[] = filter.columns.map(({ column, isWanted, values }) =>
    isWanted ? eb(column, 'in', [...values]) : eb.or([eb(column, 'is', null), eb(column, 'not in', [...values])]),
  )
  if (filter.from !== undefined) found.push(eb('created_at', '>=', filter.from))
  if (filter.until !== undefined) found.push(eb('created_at', '<', filter.until))
  if (filter.afterId !== undefined) found.push(eb('id', '>', filter.afterId))
  if (filter.beforeId !== undefined) found.push(eb('id', '<', filter.beforeId))
  for (const prefix of filter.hidden) {
    found.push(eb(eb.fn<string>('substr', ['type', eb.val(1), eb.val(prefix.length)]), '!=', prefix))
  }
  const { text = '' } = filter
  if (text !== '') found.push(eb.or(TEXT_COLUMNS.map((column) => holds(eb, column, text))))
  return found
}

/** Patterns differ between databases in case and escapes; that a text is shorter without the part does not. */
function holds(eb: ExpressionBuilder<Schema, 'events'>, column: (typeof TEXT_COLUMNS)[number], part: string) {
  const lower = eb.fn<string>('lower', [column])
  const wanted = eb.fn<string>('lower', [eb.val(part)])
  return eb(eb.fn<string>('replace', [lower, wanted, eb.val('')]), '!=', lower)
}
