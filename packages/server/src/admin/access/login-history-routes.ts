import { formatCsv } from '@burgee/kit/csv'
import { Reply } from '@burgee/kit/http/route'
import { LoginEvents } from '@burgee/protocol/access'
import { listLastLogins } from '@burgee/storage/queries/access/login-history'
import { toLoginEvent } from '../../core/access/logins/login-history.ts'
import { GUARDED_LIST } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'

/** Route that lists the latest login attempts, as JSON or CSV. Source: wire protocol */
export const loginHistoryRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/logins',
    permission: 'ADMIN',
    tag: 'Access',
    summary: 'Lists the last 10,000 logins and failed logins, newest first; as CSV with `Accept: text/csv`.',
    replies: {
      200: { description: 'Logins', schema: LoginEvents, textType: 'text/csv' },
      204: { description: 'There are no logins; for CSV only' },
    },
    problems: GUARDED_LIST,
    handle: async ({ caller }, world) => {
      await world.logins.settled()
      const events = (await world.db.scan(listLastLogins)).map(toLoginEvent)
      if (caller.headers.accept !== 'text/csv') return { events }
      // the column names come from the rows, so an empty list has no column names
      return new Reply(events.length === 0 ? 204 : 200, events.length === 0 ? undefined : formatCsv(events), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="logins.csv"',
      })
    },
  }),
]
