import { createHmac, timingSafeEqual } from 'node:crypto'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Reply } from '@burgee/kit/http/route'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { StreamCaller } from '@burgee/kit/streams/stream-quota'
import { ChangeStreams, OFREP_STREAM_KIND } from '../ofrep/change-streams.ts'
import type { StreamRegistry } from './flag-streams.ts'
import { createScopeKeys, type FrontendScope, type Frontends } from './frontends.ts'

/** Parts of a token from which the URL of a stream is built. */
export interface ChannelToken {
  /** Public id of the token. */
  readonly id: string
  /** Hash of the token, which must remain secret. */
  readonly hash: string
}

/** Request that opens a stream. */
export interface OfrepStreamOpening {
  readonly caller: StreamCaller
  /** Value of `Last-Event-ID`, if the caller sent it. */
  readonly lastEventId: string | undefined
}

/** Event streams for OpenFeature providers. */
export interface OfrepStreams<Token extends ChannelToken> {
  /**
   * Returns the channel of a token: the token's public id, and a proof that this server issued the channel. The channel
   * is accepted by every node for as long as the token is valid. Returns undefined if no stream is available at the
   * moment.
   */
  findChannel(token: ChannelToken): string | undefined
  /**
   * Returns the token that a channel belongs to, or undefined if the channel is invalid or its token is no longer
   * valid.
   */
  findToken(channel: string): Promise<Token | undefined>
  /** Returns a stream of the token's flags as the response. Rejects if these flags cannot be loaded. */
  open(token: Token, scope: FrontendScope, opening: OfrepStreamOpening): Promise<Reply>
  /**
   * If a provider knows flags from another node that this node lacks, waits for them. Returns undefined if there is
   * nothing to wait for.
   */
  waitForTag(scope: FrontendScope, tag: string): Promise<void> | undefined
}

/** Dependencies of `createOfrepStreams`. */
export interface OfrepStreamsDeps<Token extends ChannelToken> {
  readonly monotonic: MonotonicClock
  readonly frontends: Pick<Frontends, 'getFlags' | 'stateFor'>
  readonly streams: EventStreams
  readonly holders: StreamRegistry<Token>
  readonly tokens: { findById(id: string): Token | undefined | Promise<Token | undefined> }
}

const PROOF = 'stream of changes'
const PROOF_LENGTH = 22
/**
 * Maximum number of groups that are retained although they have no stream. Providers that know an earlier tag may
 * reconnect to a group whose streams have all ended.
 */
const MAX_IDLE_GROUPS = { entries: 1000 }
/** Maximum number of cached channels. Every response with a list contains a channel. */
const MAX_CHANNELS = { entries: 10_000 }

/** Creates the streams; those of one scope form a group. */
export function createOfrepStreams<Token extends ChannelToken>(world: OfrepStreamsDeps<Token>): OfrepStreams<Token> {
  const { frontends, streams, tokens, monotonic, holders } = world
  const idle = new BoundedCache<ChangeStreams>(MAX_IDLE_GROUPS)
  const busy = new Map<string, ChangeStreams>()
  const channels = new BoundedCache<string>(MAX_CHANNELS)
  const getScopeKey = createScopeKeys()
  const channelOf = (token: ChannelToken): string => {
    const key = `${token.id} ${token.hash}`
    const known = channels.peek(key)
    if (known !== undefined) return known
    const channel = `${token.id}.${computeProof(token)}`
    channels.set(key, channel)
    return channel
  }
  const getGroup = (scope: FrontendScope): ChangeStreams => {
    const key = getScopeKey(scope)
    const known = busy.get(key) ?? idle.get(key)
    if (known !== undefined) return known
    const group = new ChangeStreams(frontends.getFlags(scope), monotonic)
    idle.set(key, group)
    return group
  }
  return {
    findChannel: (token) => (streams.isFull(OFREP_STREAM_KIND, token.id) ? undefined : channelOf(token)),
    async findToken(channel) {
      const dot = channel.indexOf('.')
      const token = dot <= 0 ? undefined : await tokens.findById(channel.slice(0, dot))
      return token !== undefined && isSame(channel.slice(dot + 1), computeProof(token)) ? token : undefined
    },
    async open(token, scope, { caller, lastEventId }) {
      await frontends.stateFor(scope)
      return streams.reply(OFREP_STREAM_KIND, caller, (stream) => {
        const forget = holders.register(stream, token)
        const group = getGroup(scope)
        busy.set(getScopeKey(scope), group)
        const { ended, caughtUp } = group.join(stream, lastEventId)
        return {
          caughtUp,
          ended: () => {
            forget()
            ended(stream)
            if (group.isIdle) busy.delete(getScopeKey(scope))
          },
        }
      })
    },
    waitForTag: (scope, tag) => getGroup(scope).waitForTag(tag),
  }
}

/**
 * Computes the proof of a channel. Only servers that know the hash of the token can compute this proof. The proof does
 * not reveal that hash.
 */
function computeProof({ hash, id }: ChannelToken): string {
  return createHmac('sha256', hash).update(`${PROOF} ${id}`).digest('base64url').slice(0, PROOF_LENGTH)
}

function isSame(one: string, other: string): boolean {
  const [own, theirs] = [Buffer.from(other), Buffer.from(one)]
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}
