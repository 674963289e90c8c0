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
      'The first message is `connected` with `{lastEventId, epoch, sinceLastEventMs}`, which is repeated after a restore. It is followed by messages `events` with `{events: [{id, type, project, environment, featureName}]}`, whose id is the id of the last event. The message `delivery` with `{changes: [{id, project, environment, featureName}]}` lists recent changes whose receipts may have changed. Callers who are not administrators receive no events about people, credentials and settings. The stream ends when its session or token ends.',
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
