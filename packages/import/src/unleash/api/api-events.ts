import type { EventFilter, SourceEvent } from '../../model/source-usage.ts'
import { toList, toObject, toText } from '../stored-json.ts'
import { parseTime, toTag } from './api-flags.ts'
import type { UnleashClient } from './unleash-client.ts'

type Json = Readonly<Record<string, unknown>>

const PAGE_SIZE = 100

interface Page {
  readonly rows: readonly Json[]
  readonly total: number
}

/**
 * Returns a page of events, newest first. Servers of version 5 expect the search in the request body; later servers
 * expect the search in the query string.
 */
async function readPage(reads: UnleashClient, offset: number, limit = PAGE_SIZE): Promise<Page> {
  const found =
    (await reads.search('/events/search', { limit, offset })) ??
    (await reads.get(`/search/events?limit=${limit}&offset=${offset}`))
  const { events, totalEvents, total } = toObject(found)
  return { rows: toList(events).map(toObject), total: Number(totalEvents ?? total ?? 0) }
}

/** Returns the id of the last event; undefined if there are no events. */
export async function readNewestEventId(reads: UnleashClient): Promise<number | undefined> {
  const [first] = (await readPage(reads, 0, 1)).rows
  return first === undefined ? undefined : Number(first.id)
}

/**
 * Counts the matching events. Without a filter, returns the total that the server reports; otherwise reads all pages.
 */
export async function countApiEvents(reads: UnleashClient, wish: EventFilter): Promise<number> {
  if (wish.afterId === undefined && wish.since === undefined) return (await readPage(reads, 0, 1)).total
  let count = 0
  for await (const page of readApiEvents(reads, wish)) count += page.length
  return count
}

/**
 * Reads events in ascending order of their ids. The API lists the newest events first, so reading starts with the last
 * page.
 */
export async function* readApiEvents(reads: UnleashClient, wish: EventFilter): AsyncGenerator<SourceEvent[]> {
  const { total } = await readPage(reads, 0, 1)
  let last = wish.afterId ?? -Infinity
  for (let offset = Math.max(0, total - PAGE_SIZE); ; offset = Math.max(0, offset - PAGE_SIZE)) {
    const { rows } = await readPage(reads, offset)
    const events = rows
      .map(toEvent)
      .filter(({ id, createdAt }) => id > last && createdAt >= (wish.since ?? -Infinity))
      .sort((a, b) => a.id - b.id)
    last = events.at(-1)?.id ?? last
    if (events.length > 0) yield events
    if (offset === 0) return
  }
}

function toEvent(row: Json): SourceEvent {
  return {
    id: Number(row.id),
    createdAt: parseTime(row.createdAt) ?? 0,
    type: toText(row.type) ?? '',
    createdBy: toText(row.createdBy) ?? '',
    createdByUserId: typeof row.createdByUserId === 'number' ? row.createdByUserId : null,
    project: toText(row.project) ?? null,
    environment: toText(row.environment) ?? null,
    flag: toText(row.featureName) ?? null,
    data: row.data ?? null,
    preData: row.preData ?? null,
    tags: toList(row.tags).map(toTag),
    address: null,
  }
}
