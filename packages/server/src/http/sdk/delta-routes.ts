import { Reply } from '@burgee/kit/http/route'
import { DeltaEvents } from '@burgee/protocol/delta'
import type { Delta } from '../../services/sdk/deltas.ts'
import { SDK_STREAMS } from '../../services/sdk/flag-streams.ts'
import { CLIENT } from '../access/auth.ts'
import { GUARDED_LIST, GUARDED_SEARCH } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'
import { refusedStream, STREAM_REPLIES } from '../stream-refusal.ts'
import { FeaturesQuery, wantedFlags } from './flag-query.ts'
import { environmentOf } from './report-routes.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** How SDKs of servers hear of changes at once, or of nothing but changes. Source: wire protocol "Streaming and delta" */
export const deltaRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/client/delta',
    permission: CLIENT,
    tag: 'Client',
    summary: 'What has changed of the flags of the token since the state that If-None-Match names.',
    description:
      'Everything (`hydration`) where no tag is sent, or none from which a way is known to what is in use now; 304 where nothing of it has changed. `project`, `namePrefix` and `tag` narrow it as for all flags. Constraints of segments are never put into strategies.',
    query: FeaturesQuery,
    replies: { 200: { description: 'Changes, to be applied in their order', schema: DeltaEvents } },
    problems: GUARDED_SEARCH,
    handle: ({ access, query, caller }, world) => {
      const wanted = wantedFlags(access.token, query)
      const delta = world.deltas.get(wanted, caller.headers['if-none-match'])
      const reply = ({ etag, body }: Delta): Reply => {
        const result = body === undefined ? 'not-modified' : 'sent'
        world.telemetry.downloads.add(1, { environment: wanted.environment, result })
        return body === undefined
          ? new Reply(304, undefined, { etag })
          : new Reply(200, body, { 'content-type': JSON_TYPE, etag })
      }
      return delta instanceof Promise ? delta.then(reply) : reply(delta)
    },
  }),
  route({
    method: 'GET',
    url: '/api/client/streaming',
    isHot: true,
    permission: CLIENT,
    tag: 'Client',
    summary: 'The flags of the token, and from then on what changes of them, as server-sent events.',
    description:
      'First `unleash-connected` with everything, then `unleash-updated` with changes of 50 ms at a time; the data of both is what `GET /api/client/delta` answers. A comment every 15 seconds. The stream ends when its token does, and when the server ends.',
    replies: STREAM_REPLIES,
    problems: [...GUARDED_LIST, 'RateLimitError'],
    handle: ({ access: { token } }, { streams, flagStreams }) => {
      const refused = refusedStream(streams, SDK_STREAMS)
      return refused ?? flagStreams.open({ environment: environmentOf(token), projects: token.projects }, token)
    },
  }),
]
