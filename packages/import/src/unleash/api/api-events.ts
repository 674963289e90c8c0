import type { EventWish, HeldEvent } from '../../model/held-usage.ts'
import { listOf, objectOf, textOf } from '../stored-json.ts'
import { tagOf, timeOf } from './api-flags.ts'
import type { PoliteReads } from './polite-reads.ts'

type Json = Readonly<Record<string, unknown>>

const PAGE = 100

interface Page {
  readonly rows: readonly Json[]
  readonly total: number
}

/** Returns a page of events, newest first. Version 5 servers expect the search in a body, later ones in the query. */
async function pageOf(reads: PoliteReads, offset: number, limit = PAGE): Promise<Page> {
  const found =
    (await reads.search('/events/search', { limit, offset })) ??
    (await reads.get(`/search/events?limit=${limit}&offset=${offset}`))
  const { events, totalEvents, total } = objectOf(found)
  return { rows: listOf(events).map(objectOf), total: Number(totalEvents ?? total ?? 0) }
}

/** Returns the id of the last event, or undefined if there is none. */
export async function newestEventId(reads: PoliteReads): Promise<number | undefined> {
  const [first] = (await pageOf(reads, 0, 1)).rows
  return first === undefined ? undefined : Number(first.id)
}

/** Counts the matching events. Uses the total if there is no filter, otherwise reads all pages. */
export async function countApiEvents(reads: PoliteReads, wish: EventWish): Promise<number> {
  if (wish.afterId === undefined && wish.since === undefined) return (await pageOf(reads, 0, 1)).total
  let count = 0
  for await (const page of readApiEvents(reads, wish)) count += page.length
  return count
}

/**
 * Reads events in ascending order of their ids. The API lists the newest event first, so reading starts with the last
 * page.
 */
export async function* readApiEvents(reads: PoliteReads, wish: EventWish): AsyncGenerator<HeldEvent[]> {
  const { total } = await pageOf(reads, 0, 1)
  let last = wish.afterId ?? -Infinity
  for (let offset = Math.max(0, total - PAGE); ; offset = Math.max(0, offset - PAGE)) {
    const { rows } = await pageOf(reads, offset)
    const events = rows
      .map(eventOf)
      .filter(({ id, createdAt }) => id > last && createdAt >= (wish.since ?? -Infinity))
      .sort((a, b) => a.id - b.id)
    last = events.at(-1)?.id ?? last
    if (events.length > 0) yield events
    if (offset === 0) return
  }
}

function eventOf(row: Json): HeldEvent {
  return {
    ...{ id: Number(row.id), createdAt: timeOf(row.createdAt) ?? 0, type: textOf(row.type) ?? '' },
    createdBy: textOf(row.createdBy) ?? '',
    createdByUserId: typeof row.createdByUserId === 'number' ? row.createdByUserId : null,
    ...{ project: textOf(row.project) ?? null, environment: textOf(row.environment) ?? null },
    ...{ flag: textOf(row.featureName) ?? null, data: row.data ?? null, preData: row.preData ?? null },
    ...{ tags: listOf(row.tags).map(tagOf), address: null },
  }
}
