import { EventExport } from '@burgee/protocol/search'
import { parseTime } from '../../core/filters.ts'
import { GUARDED_SEARCH } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { exportEvents } from './event-export.ts'
import { buildFilters, parseEnd } from './event-filters.ts'

/** Route that exports the event log. The route is not part of the wire protocol. */
export const eventExportRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/event-export',
    permission: 'ADMIN',
    tag: 'Events',
    summary: 'Exports events by conditions and time, oldest first, as JSON Lines or CSV.',
    description:
      'One event per line, with the properties of the search. The export contains the events that were committed before the request. With `afterId`, it continues after the last line of an earlier export. The number of events is not limited: the server reads the next events once the client has taken the previous ones. If the server fails during the export, it cuts the connection without the end of the body. In CSV, values that a spreadsheet could treat as a formula begin with an apostrophe.',
    query: EventExport,
    replies: {
      200: {
        description: 'Events, one per line; an empty body or only the header line without events',
        contentType: 'application/x-ndjson',
        textType: 'text/csv',
      },
    },
    problems: GUARDED_SEARCH,
    handle: ({ query }, world) => {
      const { format = 'jsonl', from, to, afterId, byAgents } = query
      return exportEvents(world, format, {
        columns: buildFilters(query),
        from: from === undefined ? undefined : parseTime(from, 'from'),
        until: to === undefined ? undefined : parseEnd(to),
        afterId,
        byAgents,
        hidden: [],
      })
    },
  }),
]
