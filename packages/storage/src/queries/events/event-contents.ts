import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader, Schema } from '../../database.ts'
import { matchesText } from './event-names.ts'

/**
 * Maximum number of events whose `data` and `preData` are searched. They are the newest events that match the other
 * search conditions.
 */
export const MAX_SEARCHED_CONTENTS = 10_000
/** Minimum length of a text that is searched for in `data` and `preData`. Shorter texts occur in nearly every event. */
export const MIN_CONTENT_LETTERS = 3

type Conditions = (eb: ExpressionBuilder<Schema, 'events'>) => Expression<SqlBool>

/** Number of events that are read and searched in one batch. Other requests are served between two batches. */
const EVENTS_PER_BATCH = 500

/**
 * Searches values in `data` and `preData` of the newest events for a text. Ignores case, and ignores property names.
 * Returns the ids of matching events, newest first.
 */
export async function findInContents(reader: Reader, kept: Conditions, text: string): Promise<number[]> {
  if (text.length < MIN_CONTENT_LETTERS) return []
  const newest = reader.selectFrom('events').select('id').where(kept).orderBy('id', 'desc').limit(MAX_SEARCHED_CONTENTS)
  const oldest = await reader
    .selectFrom(newest.as('newest'))
    .select(({ fn }) => fn.min<number | null>('id').as('id'))
    .executeTakeFirst()
  const wanted = text.toLowerCase()
  const part = comparablePart(text)
  const found: number[] = []
  let before: number | undefined
  for (;;) {
    let query = reader
      .selectFrom('events')
      .select(['id', 'data', 'pre_data'])
      .where(kept)
      .where('id', '>=', Number(oldest?.id ?? 0))
      .where((eb) => eb.or([mayContain(eb.ref('data'), part), mayContain(eb.ref('pre_data'), part)]))
    if (before !== undefined) query = query.where('id', '<', before)
    const rows = await query.orderBy('id', 'desc').limit(EVENTS_PER_BATCH).execute()
    const holding = rows.filter((row) => containsText(row.data, wanted) || containsText(row.pre_data, wanted))
    found.push(...holding.map(({ id }) => Number(id)))
    if (rows.length < EVENTS_PER_BATCH) return found
    before = rows.at(-1)?.id
  }
}

/**
 * Matches JSON that may contain a text. Looks only for the part of the text that `comparablePart` returns. If that is
 * undefined, matches every JSON value except null.
 */
function mayContain(json: Expression<unknown>, part: string | undefined): RawBuilder<SqlBool> {
  return part === undefined ? sql<SqlBool>`${json} <> 'null'` : matchesText(json, JSON.stringify(part).slice(1, -1))
}

/**
 * Returns the part of a text for which a case-insensitive comparison gives the same result in JavaScript and both
 * databases. It is the longest run of ASCII characters, or the whole text if none of its letters have an upper or lower
 * case.
 */
function comparablePart(text: string): string | undefined {
  if (text.toLowerCase() === text.toUpperCase()) return text
  const parts = text.match(/[\x20-\x7e]+/g) ?? []
  return parts.toSorted((a, b) => b.length - a.length)[0]
}

function containsText(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted)
  if (typeof value === 'number') return String(value).includes(wanted)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => containsText(inner, wanted))
}
