import type { Reply } from '@burgee/kit/http/route'
import type { Logger } from '@burgee/kit/log/logger'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { runInSlices } from '@burgee/kit/slices'
import { createEventMessage, type EventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream, EventStreams, StreamOwner } from '@burgee/kit/streams/event-streams'
import type { StreamCaller } from '@burgee/kit/streams/stream-quota'
import { STREAM_EVENTS } from '@burgee/protocol/delta'
import type { StreamConnection } from '../connections/connection-book.ts'
import { DocumentDifference, formatHydration } from '../document/document-delta.ts'
import { EnvironmentCaches } from '../document/environment-caches.ts'
import type { DocumentState } from '../document/environment-document.ts'
import type { EnvironmentDocuments } from '../document/environment-documents.ts'
import { isAffectedBy } from '../document/run-environment.ts'
import { formatStreamEventId } from '../document/stream-event-id.ts'
import { getQueryKey } from './deltas.ts'
import type { FlagQuery } from './downloads.ts'
import type { FlagScope } from './flag-query.ts'
import type { TokenChangeFeed } from './token-change-streams.ts'

/** Registry that closes a stream when its credentials become invalid. */
export interface StreamRegistry<Holder> {
  /**
   * Registers a stream, which is closed when its credentials become invalid. Must be called when the stream starts.
   * Returns a function that unregisters the stream.
   */
  register(stream: EventStream, holder: Holder): () => void
  close(): void
}

/**
 * Listener that is called after a change was committed, with the environment ('' means all environments) and the time
 * in milliseconds since 1970.
 */
export type CommitListener = (environment: string, atMs: number) => void

/** Caller that opens a stream. */
export interface FlagStreamCaller extends StreamCaller {
  /** True if the caller requests token changes in addition to flags. */
  readonly withTokenChanges?: boolean
  /** Adds the stream to the recorded connections, after it has started. */
  readonly openConnection?: () => StreamConnection | undefined
}

/** Streams that first send all flags to an SDK, and then the changes. */
export interface FlagStreams<Holder> {
  /**
   * Returns a stream as the reply, including token changes if the caller requests them. Rejects if the environment has
   * never been loaded and cannot be loaded now.
   */
  open(wanted: FlagQuery, holder: Holder, caller: FlagStreamCaller): Reply | Promise<Reply>
  /** Memory that cached messages with the full state use. */
  getCacheSize(): CacheSize
  /** Stops listening to changes, and stops sending. */
  close(): void
}

/** Dependencies of flag streams. */
export interface FlagStreamsDeps<Holder> extends ChangeSenderDeps {
  readonly streams: EventStreams
  readonly holders: StreamRegistry<Holder>
  readonly tokenChanges: TokenChangeFeed
  /** Calls the listener for each change. Returns a function that unsubscribes the listener. */
  readonly commits: (listener: CommitListener) => () => void
}

/** Dependencies of the code that sends changes. */
interface ChangeSenderDeps {
  readonly clock: () => number
  readonly logger: Logger
  readonly documents: Pick<EnvironmentDocuments, 'get' | 'peek' | 'subscribe'>
  /** Called with the milliseconds from a commit until the last stream of its environment was sent the change. */
  readonly propagated: (durationMs: number) => void
}

/** Group of streams that receive the same flags. */
interface Group {
  readonly key: string
  readonly wanted: FlagQuery
  /** Streams, each with its entry in the recorded connections. */
  readonly streams: Map<EventStream, StreamConnection | undefined>
  /** Last state that all streams of the group have been sent. */
  sentState: DocumentState
}

/** Parts of a stream other than its messages. */
interface StreamEntry {
  readonly connection: StreamConnection | undefined
  /** Called after the stream has ended. */
  readonly end: () => void
}

/** Name of flag streams as a kind of stream, for metrics and limits. */
export const SDK_STREAM_KIND = 'sdk'
/**
 * Interval within which changes are combined into one message. Every message makes an SDK process all of its flags. See
 * the wire protocol, section "Delta events".
 */
const GATHER_MS = 50
const MAX_CACHE = { entries: 50, bytes: 64 * 1024 * 1024 }

/** Creates streams, grouped by environment; each environment has a separate timer. */
export function createFlagStreams<Holder>(world: FlagStreamsDeps<Holder>): FlagStreams<Holder> {
  const environments = new Map<string, EnvironmentStreams>()
  const { holders } = world
  const hydrations = createHydrationCache()
  const of = (environment: string): EnvironmentStreams => {
    const known = environments.get(environment) ?? new EnvironmentStreams(world, environment, hydrations.getMessage)
    environments.set(environment, known)
    return known
  }
  const ends = [
    world.documents.subscribe((changed) => {
      for (const [environment, streams] of environments) {
        if (isAffectedBy(environment, changed)) streams.scheduleUpdate()
      }
    }),
    world.commits((environment, atMs) => {
      for (const [name, streams] of environments) {
        if (environment === '' || environment === name) streams.recordCommit(atMs)
      }
    }),
  ]
  return {
    getCacheSize: () => hydrations.getSize(),
    open(wanted, holder, caller) {
      const reply = () =>
        world.streams.reply(SDK_STREAM_KIND, caller, (stream) => {
          const forget = holders.register(stream, holder)
          const connection = caller.openConnection?.()
          const end = () => {
            connection?.close()
            forget()
          }
          const streams = of(wanted.environment)
          const joined = streams.join(stream, wanted, { connection, end })
          const ended = () => {
            joined.ended()
            // environments of test runs come and go
            if (streams.isIdle && environments.get(wanted.environment) === streams)
              environments.delete(wanted.environment)
          }
          const owner = { ...joined, ended }
          return caller.withTokenChanges === true
            ? joinTokenChanges(world.tokenChanges, wanted, { stream, owner })
            : owner
        })
      const state = world.documents.get(wanted.environment)
      return state instanceof Promise ? state.then(reply) : reply()
    },
    close() {
      for (const end of ends) end()
      for (const streams of environments.values()) streams.close()
      holders.close()
      world.tokenChanges.close()
    },
  }
}

/** Creates a cache of messages with the full state, which groups of different streams share. */
function createHydrationCache(): { readonly getMessage: Hydration; readonly getSize: () => CacheSize } {
  const caches = new EnvironmentCaches<{ readonly version: number; readonly message: EventMessage }>(MAX_CACHE)
  const getMessage: Hydration = (state, { key, wanted }, event) => {
    const id = `${event} ${key}`
    const whole = caches.of(wanted.environment)
    const known = whole.get(id)
    if (known?.version === state.version) return known.message
    const message = createMessage(event, state, formatHydration(state, wanted))
    const entry = { version: state.version, message }
    whole.set(id, entry)
    whole.resize(id, entry, message.chunk.length)
    return message
  }
  return { getMessage, getSize: () => caches.getSize() }
}

function joinTokenChanges(
  tokenChanges: TokenChangeFeed,
  scope: FlagScope,
  { stream, owner }: { readonly stream: EventStream; readonly owner: Required<StreamOwner> },
): StreamOwner {
  const leave = tokenChanges.join(stream, scope)
  return {
    ended: () => {
      leave()
      owner.ended(stream)
    },
    caughtUp: () => {
      owner.caughtUp(stream)
      tokenChanges.catchUp(stream)
    },
  }
}

type Event = (typeof STREAM_EVENTS)[keyof typeof STREAM_EVENTS]
type Hydration = (state: DocumentState, group: Pick<Group, 'key' | 'wanted'>, event: Event) => EventMessage

function createMessage(event: Event, { revision }: DocumentState, data: string): EventMessage {
  return createEventMessage({ id: formatStreamEventId(revision), event, data })
}

/**
 * All streams of one environment. Combines all changes within 50 ms into one message. Each message is built only once
 * for all streams that receive it.
 */
class EnvironmentStreams {
  readonly #deps: ChangeSenderDeps
  readonly #environment: string
  readonly #hydration: Hydration
  readonly #groups = new Map<string, Group>()
  /** Commit times of changes that have not been sent to the streams yet. */
  #committedMs: number[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(world: ChangeSenderDeps, environment: string, hydration: Hydration) {
    this.#deps = world
    this.#environment = environment
    this.#hydration = hydration
  }

  /** True if there are no streams. */
  get isIdle(): boolean {
    return this.#groups.size === 0
  }

  /** Sends the full state to a new stream, which afterwards receives all changes. */
  join(stream: EventStream, wanted: FlagQuery, { connection, end }: StreamEntry) {
    const key = getQueryKey(wanted)
    const state = this.#state()
    const group = this.#groups.get(key) ?? { key, wanted, streams: new Map(), sentState: state }
    this.#groups.set(key, group)
    stream.send(this.#hydration(state, group, STREAM_EVENTS.connected))
    connection?.recordSent(state.revision)
    // this state may already include the next update; sending the update again is harmless
    group.streams.set(stream, connection)
    return {
      ended: () => {
        end()
        group.streams.delete(stream)
        if (group.streams.size === 0) this.#groups.delete(key)
      },
      // sends the state of the group, not a newer one, so that the next update still applies to it
      caughtUp: () => {
        const isSent = stream.send(this.#hydration(group.sentState, group, STREAM_EVENTS.updated))
        if (isSent) connection?.recordSent(group.sentState.revision)
      },
    }
  }

  /** Records the time at which a change in the environment was committed. */
  recordCommit(atMs: number): void {
    if (this.#groups.size > 0) this.#committedMs.push(atMs)
  }

  /** Schedules an update after the document has changed. */
  scheduleUpdate(): void {
    if (this.#groups.size === 0) return
    this.#timer ??= setTimeout(() => void this.#sendUpdates(), GATHER_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#groups.clear()
  }

  #state(): DocumentState {
    const state = this.#deps.documents.peek(this.#environment)
    if (state === undefined) throw new Error(`The flags of the environment "${this.#environment}" were not read`)
    return state
  }

  /** Sends one update at a time, because streams must receive updates in order. */
  async #sendUpdates(): Promise<void> {
    await this.#sending
    this.#timer = undefined
    this.#sending = this.#tellChanges().catch((error: unknown) =>
      this.#deps.logger.error('Cannot send a change to the streams of SDKs', error),
    )
    await this.#sending
    this.#sending = undefined
  }

  /**
   * Sends the latest changes to all groups. Reloads the document if it was dropped because its environment had been
   * deleted.
   */
  async #tellChanges(): Promise<void> {
    // the streams may have ended together with their environment
    if (this.isIdle) return
    const { documents } = this.#deps
    const state = documents.peek(this.#environment) ?? (await documents.get(this.#environment))
    await runInSlices(this.#sendInSteps(state))
  }

  *#sendInSteps(state: DocumentState): Generator<void, void> {
    const committed = this.#committedMs
    this.#committedMs = []
    const differences = new Map<DocumentState, DocumentDifference>()
    for (const group of [...this.#groups.values()]) {
      const difference = differences.get(group.sentState) ?? new DocumentDifference(group.sentState, state)
      differences.set(group.sentState, difference)
      const text = difference.formatFor(group.wanted)
      group.sentState = state
      yield
      const message = text === undefined ? undefined : createMessage(STREAM_EVENTS.updated, state, text)
      for (const [stream, connection] of [...group.streams]) {
        const isSent = message === undefined ? !stream.isBehind : stream.send(message)
        if (isSent) connection?.recordSent(state.revision)
        yield
      }
    }
    const now = this.#deps.clock()
    for (const atMs of committed) this.#deps.propagated(Math.max(0, now - atMs))
  }
}
