import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { StreamCaller } from '@burgee/kit/streams/stream-quota'
import { DeltaEvents } from '@burgee/protocol/delta'
import { TOKEN_CHANGES_HEADER } from '@burgee/protocol/token-changes'
import type { Delta, Deltas } from './deltas.ts'
import { FeaturesQuery, toFlagQuery } from './flag-query.ts'
import type { ClientRouteDeps } from './flag-routes.ts'
import { type FlagStreams, SDK_STREAM_KIND } from './flag-streams.ts'
import { createStreamRefusal, STREAM_REPLIES } from './stream-refusal.ts'

/** Dependencies of the delta and streaming endpoints. */
export interface DeltaRouteDeps<Access, Holder> extends ClientRouteDeps<Access> {
  readonly deltas: Deltas
  readonly streams: EventStreams
  readonly flagStreams: FlagStreams<Holder>
  /** Returns the credentials that a stream depends on. The stream is closed when these credentials become invalid. */
  readonly getHolder: (access: Access) => Holder
  /** Returns the caller whose quota a stream counts against. */
  readonly getStreamCaller: (access: Access, caller: Caller) => StreamCaller
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Creates the endpoints that return incremental changes, either per request or as a stream. Source: wire protocol
 * "Streaming and delta"
 */
export function deltaRoutes<Access, Holder>(deps: DeltaRouteDeps<Access, Holder>): Route<Access>[] {
  const { base, tag, permission, problems, getScope, deltas, downloaded, connections } = deps
  const route = routesFor<Access>()
  return [
    route({
      method: 'GET',
      url: `${base}/delta`,
      permission,
      tag,
      summary: 'Returns changes of the flags of the token since the state in If-None-Match.',
      description:
        "Returns everything (`hydration`) if the request has no tag, or if the changes since the tag's state are no longer known; 304 if nothing has changed. `project`, `namePrefix` and `tag` filter flags as in the complete download. Constraints of segments are never inlined into strategies.",
      query: FeaturesQuery,
      replies: { 200: { description: 'Changes, in the order to apply them', schema: DeltaEvents } },
      problems: problems.search,
      handle: ({ access, query, caller }) => {
        const wanted = toFlagQuery(getScope(access), query)
        const delta = deltas.get(wanted, caller.headers['if-none-match'])
        const reply = ({ etag, body, revision, held }: Delta): Reply => {
          if (body === undefined) connections?.recordUnchanged(wanted, caller, revision)
          else connections?.recordSent(wanted, caller, { held, offered: revision })
          downloaded?.(wanted.environment, body === undefined ? 'not-modified' : 'sent')
          return body === undefined
            ? new Reply(304, undefined, { etag, vary: 'Accept-Encoding' })
            : new Reply(200, body, { 'content-type': JSON_TYPE, etag })
        }
        return delta instanceof Promise ? delta.then(reply) : reply(delta)
      },
    }),
    route({
      method: 'GET',
      url: `${base}/streaming`,
      isHot: true,
      permission,
      tag,
      summary: 'Streams the flags of the token and their changes, as server-sent events.',
      description:
        'First `unleash-connected` with everything, then `unleash-updated` with the changes of 50 ms at a time; the data of both has the form of `GET /api/client/delta`. The `id` of an event is `<number of the last change>:<database epoch>`. A comment every 15 seconds. The stream ends when its token ends or the server stops.',
      replies: STREAM_REPLIES,
      problems: [...problems.list, 'RateLimitError'],
      handle: ({ access, caller }) => openFlagStream(deps, access, caller),
    }),
  ]
}

function openFlagStream<Access, Holder>(
  { streams, flagStreams, getScope, getHolder, getStreamCaller, connections }: DeltaRouteDeps<Access, Holder>,
  access: Access,
  caller: Caller,
): Reply | Promise<Reply> {
  const streamCaller = getStreamCaller(access, caller)
  const refused = createStreamRefusal(streams, SDK_STREAM_KIND, streamCaller)
  if (refused !== undefined) return refused
  const withTokenChanges = caller.headers[TOKEN_CHANGES_HEADER] !== undefined
  const scope = getScope(access)
  const openConnection = () => connections?.openStream(scope, caller)
  return flagStreams.open(scope, getHolder(access), { ...streamCaller, withTokenChanges, openConnection })
}
