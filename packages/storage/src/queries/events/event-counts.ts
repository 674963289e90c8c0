import type { EventType } from '@burgee/protocol/event'
import { sql } from 'kysely'
import type { Reader } from '../../database.ts'

/** Returns the number of events of each given type. Types without events are omitted. */
export async function countEventsByType(
  reader: Reader,
  types: readonly EventType[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('events')
    .select(({ fn }) => ['type', fn.countAll<number>().as('count')])
    .where('type', 'in', types)
    .groupBy('type')
    .execute()
  return new Map(rows.map(({ type, count }) => [type, Number(count)]))
}

/**
 * Counts the events in production environments since each of the given times. Times are in milliseconds since 1970, and
 * must be sorted latest first.
 */
export async function countProductionEvents(reader: Reader, since: readonly number[]): Promise<number[]> {
  const firsts: (number | undefined)[] = []
  for (const time of since) firsts.push(await findFirstSince(reader, time))
  const counts: number[] = []
  let before: number | undefined
  for (const first of firsts) {
    const more = first === undefined || first === before ? 0 : await countProductionEventsBetween(reader, first, before)
    counts.push((counts.at(-1) ?? 0) + more)
    before = first ?? before
  }
  return counts
}

/**
 * Counts the events in production environments between two event ids. The caller adds up the counts of adjacent ranges,
 * so that no event is read twice.
 */
async function countProductionEventsBetween(
  reader: Reader,
  first: number,
  before: number | undefined,
): Promise<number> {
  let query = reader
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('environment', 'in', ({ selectFrom }) =>
      selectFrom('environments').select('name').where('type', '=', 'production'),
    )
    .where('id', '>=', first)
  if (before !== undefined) query = query.where('id', '<', before)
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/**
 * Returns the id of the first event at or after a time. Ids increase with time, so a binary search by id finds the
 * event in about twenty lookups. An index on the time would make every change slower.
 */
async function findFirstSince(reader: Reader, since: number): Promise<number | undefined> {
  const query = sql<{ low: number | null }>`with recursive halves(low, high) as (
      select min(id), max(id) + 1 from events
      union all
      select case when e.created_at >= ${since} then low else (low + high) / 2 + 1 end,
        case when e.created_at >= ${since} then (low + high) / 2 else high end
      from halves join events e on e.id = (select min(x.id) from events x where x.id >= (low + high) / 2)
      where low < high)
    select low from halves where low = high`
  const found = (await query.execute(reader as never)).rows[0]?.low
  return found === undefined || found === null ? undefined : Number(found)
}
