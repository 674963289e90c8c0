import { createStreamRefusal, STREAM_REPLIES } from '@burgee/serving/sdk/stream-refusal'
import { GUARDED_LIST } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'

const KIND = 'admin'

/** Route of the live event stream. The route is not part of the wire protocol. */
export const eventStreamRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/event-stream',
    permission: null,
    tag: 'Events',
    summary: 'Streams summaries of events, as server-sent events.',
    description:
      'First the message `connected` with `{lastEventId, epoch, sinceLastEventMs}`, again after a restore; then `events` with `{events: [{id, type, project, environment, featureName}]}`, whose id is that of the last. The message `delivery` with `{changes: [{id, project, environment, featureName}]}` names recent changes whose receipts may have changed. Who is no admin is not told of people, credentials and settings. The stream ends with the session or the token by which it was opened.',
    replies: STREAM_REPLIES,
    problems: [...GUARDED_LIST, 'RateLimitError'],
    handle: async ({ access: { actor }, caller }, { streams, adminEvents, callers }) => {
      const { user, token } = actor
      const streamCaller = { network: callers.getNetwork(caller), user: user && String(user.id), token: token?.id }
      const refused = createStreamRefusal(streams, KIND, streamCaller)
      if (refused !== undefined) return refused
      const position = await adminEvents.position()
      return streams.reply(KIND, streamCaller, (stream) => adminEvents.follow(stream, actor, position))
    },
  }),
]
