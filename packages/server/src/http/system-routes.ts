import { Reply } from '@burgee/kit/http/route'
import { SERIES_TYPE } from '@burgee/kit/series/series'
import Type from 'typebox'
import { DatabaseGone } from '../store/errors.ts'
import { ANYBODY } from './access/auth.ts'
import { GONE, nothingAt } from './errors.ts'
import { READ } from './problem-lists.ts'
import { type Routes, route } from './route.ts'

const Health = Type.Object({ health: Type.String() })
const Trouble = Type.Object({ health: Type.String(), reason: Type.Optional(Type.String()) })

/** Whether the process lives, and whether it can work. No credentials needed. */
export const systemRoutes: Routes = [
  route({
    method: 'GET',
    url: '/health',
    permission: 'public',
    tag: 'System',
    summary: 'The process lives.',
    replies: { 200: { description: 'It does', schema: Health } },
    problems: [],
    handle: () => ({ health: 'GOOD' }),
  }),
  route({
    method: 'GET',
    url: '/ready',
    permission: 'public',
    tag: 'System',
    summary: 'The database answers, and what is written to it lasts.',
    replies: { 200: { description: 'It does', schema: Health }, 503: { description: 'It does not', schema: Trouble } },
    problems: [],
    handle: async (_input, world) => {
      try {
        world.db.requirePresent()
        await world.db.reader.selectFrom('environments').select('name').limit(1).execute()
        return { health: 'GOOD' }
      } catch (error) {
        // the log has said so when it began
        if (error instanceof DatabaseGone) return Reply.json(503, { health: 'BAD', reason: GONE })
        world.logger.error('The database does not answer', error)
        return Reply.json(503, { health: 'BAD' })
      }
    },
  }),
]

/** What Prometheus reads. No credentials needed. Source: wire protocol "GET /internal-backstage/prometheus". */
export const seriesRoutes: Routes = [
  route({
    method: 'GET',
    url: '/internal-backstage/prometheus',
    permission: 'public',
    tag: 'System',
    summary: 'Series in the text format of Prometheus.',
    replies: { 200: { description: 'The series', contentType: 'text/plain' } },
    problems: [],
    handle: (_input, { telemetry }) =>
      new Reply(200, telemetry.registry.text(), { 'content-type': SERIES_TYPE, 'cache-control': 'no-store' }),
  }),
]

/** Unknown paths of the API: 401 for nobody, 404 for anybody else. Source: wire protocol "paths". */
export const unknownApiRoutes: Routes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
  route({
    method,
    url: '/api/*',
    permission: ANYBODY,
    tag: 'System',
    summary: 'Nothing is here.',
    replies: { 404: { description: 'Nothing is here' } },
    problems: READ,
    handle: ({ caller }) => {
      throw nothingAt(caller.url.split('?', 1)[0] ?? caller.url)
    },
  }),
)
