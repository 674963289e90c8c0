import { createHmac, timingSafeEqual } from 'node:crypto'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Reply } from '@burgee/kit/http/route'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { StreamCaller } from '@burgee/kit/streams/stream-quota'
import { ChangeStreams, OFREP_STREAMS } from '../ofrep/change-streams.ts'
import type { StreamHolding } from './flag-streams.ts'
import type { FrontendScope, Frontends } from './frontends.ts'

/** What of a token a stream's address says, and what proves it. */
export interface ChannelToken {
  /** Tells it from other tokens; no secret. */
  readonly id: string
  /** Only who knows the token knows it. */
  readonly hash: string
}

/** Request for a stream. */
export interface OfrepStreamOpening {
  readonly caller: StreamCaller
  /** `Last-Event-ID`, if the caller sent one. */
  readonly lastEventId: string | undefined
}

/** How OpenFeature's providers hear of changes. */
export interface OfrepStreams<Token extends ChannelToken> {
  /**
   * What a stream of this token is asked for by: its public id and a proof that whoever knows it has been told by us. Good
   * for as long as the token, on every node. Undefined where none would be served now.
   */
  channelOf(token: ChannelToken): string | undefined
  /** The token of a channel; undefined where it is none, or its token has ended. */
  tokenOf(channel: string): Promise<Token | undefined>
  /** The reply that is a stream of a token. Rejects where the flags cannot be read. */
  open(token: Token, scope: FrontendScope, opening: OfrepStreamOpening): Promise<Reply>
  /** Waits for flags that a provider has heard of elsewhere; undefined where there is nothing to wait for. */
  reached(scope: FrontendScope, tag: string): Promise<void> | undefined
}

/** What these streams stand on. */
export interface OfrepStreamsWorld<Token extends ChannelToken> {
  readonly monotonic: MonotonicClock
  readonly frontends: Frontends
  readonly streams: EventStreams
  readonly holders: StreamHolding<Token>
  readonly tokens: { findById(id: string): Token | undefined | Promise<Token | undefined> }
}

const PROOF = 'stream of changes'
const PROOF_LENGTH = 22
/** Of those that nobody follows, some are kept, for providers that have heard of flags before. */
const MOST_GROUPS = { entries: 1000 }

/** One group of streams per scope. */
export function createOfrepStreams<Token extends ChannelToken>(world: OfrepStreamsWorld<Token>): OfrepStreams<Token> {
  const { frontends, streams, tokens, monotonic, holders } = world
  const idle = new BoundedCache<ChangeStreams>(MOST_GROUPS)
  const busy = new Map<string, ChangeStreams>()
  const groupOf = (scope: FrontendScope): ChangeStreams => {
    const key = keyOf(scope)
    const known = busy.get(key) ?? idle.get(key)
    if (known !== undefined) return known
    const group = new ChangeStreams(frontends.flagsOf(scope), monotonic)
    idle.set(key, group)
    return group
  }
  return {
    channelOf: (token) => (streams.isFull(OFREP_STREAMS, token.id) ? undefined : `${token.id}.${proofOf(token)}`),
    async tokenOf(channel) {
      const dot = channel.indexOf('.')
      const token = dot <= 0 ? undefined : await tokens.findById(channel.slice(0, dot))
      return token !== undefined && isSame(channel.slice(dot + 1), proofOf(token)) ? token : undefined
    },
    async open(token, scope, { caller, lastEventId }) {
      await frontends.stateFor(scope)
      return streams.reply(OFREP_STREAMS, caller, (stream) => {
        const forget = holders.hold(stream, token)
        const group = groupOf(scope)
        busy.set(keyOf(scope), group)
        const { ended, caughtUp } = group.join(stream, lastEventId)
        return {
          caughtUp,
          ended: () => {
            forget()
            ended(stream)
            if (group.isIdle) busy.delete(keyOf(scope))
          },
        }
      })
    },
    reached: (scope, tag) => groupOf(scope).reached(tag),
  }
}

function keyOf({ environment, projects }: FrontendScope): string {
  return JSON.stringify([environment, [...projects].sort()])
}

/** Nobody makes it who does not know the token, and nobody learns that from it. */
function proofOf({ hash, id }: ChannelToken): string {
  return createHmac('sha256', hash).update(`${PROOF} ${id}`).digest('base64url').slice(0, PROOF_LENGTH)
}

function isSame(one: string, other: string): boolean {
  const [own, theirs] = [Buffer.from(other), Buffer.from(one)]
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}
