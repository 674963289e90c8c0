import { EventSearch, Events, FoundEvents, OlderEventSearch, SearchText } from '@burgee/protocol/search'
import { readEpoch } from '@burgee/storage/epochs'
import type { ColumnFilter } from '@burgee/storage/queries/events/event-conditions'
import { type EventFilter, searchEvents } from '@burgee/storage/queries/events/event-search'
import Type from 'typebox'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { parseTime } from '../../core/filters.ts'
import { GUARDED_SEARCH } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { getHiddenEvents } from '../history/hidden-events.ts'
import { buildExactFilters, buildFilters, parseEnd } from './event-filters.ts'

const DEFAULT_LIMIT = 100

/** Routes that search all events. Source: wire protocol */
export const eventSearchRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/events',
    permission: null,
    tag: 'Events',
    summary: 'Lists the newest hundred events, of the installation or of one project.',
    query: Type.Object({ project: Type.Optional(SearchText) }),
    replies: { 200: { description: 'Events', schema: Events } },
    problems: GUARDED_SEARCH,
    handle: async ({ query, access }, world) => {
      const { events, total } = await search(world, access.actor, buildExactFilters(query))
      return { version: 1, events, totalEvents: total }
    },
  }),
  route({
    method: 'POST',
    url: '/api/admin/events/search',
    permission: null,
    tag: 'Events',
    summary: 'Searches events by type, project, flag or text, newest first (legacy).',
    body: OlderEventSearch,
    replies: { 200: { description: 'Events', schema: Events } },
    problems: [...GUARDED_SEARCH, 'ContentTypeerror'],
    handle: async ({ body: { query, limit, offset, ...exact }, access }, world) => {
      const { events, total } = await search(world, access.actor, buildExactFilters(exact), {
        text: query,
        limit,
        offset,
      })
      return { version: 1, events, totalEvents: total }
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/search/events',
    permission: null,
    tag: 'Events',
    summary: 'Searches events by conditions, time and text, newest first.',
    description:
      '`afterId` selects the events after an event, for polling; `beforeId` pages back. `byAgents` selects the events that agents caused, or all others. With `query`, `total` is at most 10,000. A text of three letters or more is also searched for in the values of `data` and `preData`. Until a long history has been indexed, this search covers only the newest 10,000 unindexed events that match the other conditions.',
    query: EventSearch,
    replies: { 200: { description: 'Events', schema: FoundEvents } },
    problems: GUARDED_SEARCH,
    handle: ({ query, access }, world) => {
      const { query: text, from, to, limit, offset, afterId, beforeId, byAgents } = query
      const more = {
        text,
        limit,
        offset,
        afterId,
        beforeId,
        byAgents,
        ...(from === undefined ? {} : { from: parseTime(from, 'from') }),
      }
      const until = to === undefined ? {} : { until: parseEnd(to) }
      return search(world, access.actor, buildFilters(query), { ...more, ...until })
    },
  }),
]

function search(
  world: Pick<ServerWorld, 'db' | 'eventNames'>,
  actor: Actor,
  columns: readonly ColumnFilter[],
  { limit = DEFAULT_LIMIT, offset = 0, ...more }: { [K in keyof EventFilter]?: EventFilter[K] | undefined } = {},
) {
  const withAddress = hasPermission(actor, 'ADMIN')
  const { types: hidden, projects: secret } = getHiddenEvents(actor)
  const all: ColumnFilter[] =
    secret.length === 0 ? [...columns] : [...columns, { column: 'project', isWanted: false, values: secret }]
  const filter = { ...more, columns: all, hidden, withAddress, limit, offset }
  return world.db.scan(async (reader) => {
    const { epoch } = await readEpoch(reader)
    return { ...(await searchEvents(reader, filter, world.eventNames)), epoch }
  })
}
