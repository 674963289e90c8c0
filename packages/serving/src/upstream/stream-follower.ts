import { getBackoffMs } from '@burgee/kit/backoff'
import { isObject } from '@burgee/kit/input/is-object'
import type { DebugLog } from '@burgee/kit/log/logger'
import { EventReader, type ParsedEvent } from '@burgee/kit/streams/event-reader'
import { startTimer } from '@burgee/kit/timer'
import { STREAM_EVENTS } from '@burgee/protocol/delta'
import { TOKEN_CHANGES_EVENT, type TokenChanges } from '@burgee/protocol/token-changes'
import { type FeatureDocument, parseFeatureDocument } from '../document/feature-document.ts'
import { getTagEpoch, hasEpoch, parseRevisionNumber, parseRevisionTag } from '../document/revision-tag.ts'
import { getStreamEventEpoch } from '../document/stream-event-id.ts'
import type { FollowedStream } from './configuration-source.ts'
import { DeltaDocument } from './delta-document.ts'
import { parseTokenChanges } from './parse-token-changes.ts'
import { MAX_RESPONSE_BYTES } from './response-body.ts'
import { RestoreDetector } from './restore-detector.ts'
import { isStream, NoStreamError, StreamNotOfferedError, toStreamError, UNKNOWN_RETRY_MS } from './stream-errors.ts'
import { findLastEventId, isBefore, requireConfiguration } from './stream-message.ts'
import type { Upstream } from './upstream.ts'

/** Receiver for token changes that a stream delivers. Only a Burgee upstream sends token changes. */
export interface TokenFollower {
  changed(changes: TokenChanges): void
  /**
   * Called when the upstream has closed or refused the stream, because the token of the stream may no longer be valid.
   */
  onDoubt(): void
}

/** Dependencies of a `StreamFollower`. */
export interface StreamFollowerDeps {
  readonly upstream: Pick<Upstream, 'stream' | 'readMessage'>
  /**
   * Prefix of the names of the flags to use. The stream delivers all flags of a token, so flags with other names are
   * dropped here.
   */
  readonly namePrefix: string | undefined
  readonly random: () => number
  /** If undefined, token changes are not requested. */
  readonly tokens?: TokenFollower | undefined
  /** Logger for detailed debug messages. */
  readonly debug?: DebugLog | undefined
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number
  /** Maximum time in milliseconds without data, after which the connection is closed; a minute by default. */
  readonly silenceMs?: number
}

/** Default maximum silence. Servers send data at least every 15 to 30 s. */
const SILENCE_MS = 60_000
const ALIVE_MS = 35_000
const RETRIES = { firstMs: 1000, maxMs: 30_000 }
/**
 * Duration after which a connection is considered healthy. After a healthy connection is lost, the first retry follows
 * quickly.
 */
const STEADY_MS = 60_000
/**
 * Client for the stream of an upstream, if the upstream offers one. The stream updates the current configuration. Any
 * failure closes the connection and leaves the current configuration in use. The next connection starts with a complete
 * configuration. Connects only after a poll of the upstream has succeeded.
 */
export class StreamFollower implements FollowedStream {
  readonly #deps: StreamFollowerDeps
  readonly #now: () => number
  readonly #accept: (document: FeatureDocument) => void
  /** Configuration received on this connection, and the number of its last change (0 if unknown). */
  #document: DeltaDocument | undefined
  #documentId = 0
  /**
   * Latest change known from the stream or from polls, and the latest change that was known when this connection was
   * requested.
   */
  #revisionId = 0
  #revisionIdAtRequest = 0
  /** ETag of the last poll whose configuration was used. */
  #etag: string | undefined
  #hasReplacedPoll = false
  #lastActivityAtMs = Number.NEGATIVE_INFINITY
  #failures = 0
  readonly #restore = new RestoreDetector()
  /** True once the upstream has sent token changes. */
  #hasTokenChanges = false
  #connection: AbortController | undefined
  #pendingWait: { readonly timer: NodeJS.Timeout; readonly end: () => void } | undefined
  #running: Promise<void> | undefined
  #isStopped = false

  /** @param accept called with each configuration, whose outer structure is already validated */
  constructor(deps: StreamFollowerDeps, accept: (document: FeatureDocument) => void) {
    this.#deps = deps
    this.#now = deps.now ?? (() => performance.now())
    this.#accept = accept
  }

  get isAlive(): boolean {
    return this.#document !== undefined && this.#now() - this.#lastActivityAtMs < ALIVE_MS
  }

  get revisionId(): number {
    return this.#revisionId
  }

  get hasReplacedPoll(): boolean {
    return this.#hasReplacedPoll
  }

  recordPoll(answer: { readonly document: FeatureDocument; readonly etag: string | undefined } | undefined): void {
    if (answer !== undefined) {
      const { document, etag } = answer
      const hasRestarted = isOtherSequence(this.#etag, etag) || (parseRevisionNumber(etag) ?? 0) < this.#revisionId
      this.#etag = etag
      this.#hasReplacedPoll = false
      this.#revisionId = parseRevisionNumber(etag) ?? 0
      // changes still in flight belong to the database as it was before the restore
      if (hasRestarted) this.#connection?.abort()
      else if (this.#document !== undefined) this.#setDocument(new DeltaDocument(document), this.#revisionId)
    }
    if (!this.#isStopped) this.#running ??= this.#run()
  }

  /** Retries immediately instead of waiting. */
  refresh(): void {
    this.#pendingWait?.end()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#connection?.abort()
    this.#pendingWait?.end()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const delayMs = await this.#connect()
      if (this.#isStopped) return
      this.#deps.debug?.(`Reconnecting the upstream stream in ${Math.round(delayMs)} ms`)
      await this.#wait(delayMs)
    }
  }

  /** Returns the delay before the next connection attempt, in milliseconds. Never rejects. */
  async #connect(): Promise<number> {
    const beganAtMs = this.#now()
    let askedMs = 0
    const connection = new AbortController()
    this.#connection = connection
    this.#revisionIdAtRequest = this.#revisionId
    try {
      await this.#follow(connection)
      this.#deps.debug?.('The upstream stream ended')
      this.#reportDoubt()
    } catch (error) {
      if (this.#isStopped) return 0
      this.#deps.debug?.(`Upstream stream failed: ${error instanceof Error ? error.message : String(error)}`)
      if (error instanceof NoStreamError) askedMs = error.retryAfterMs
      if (error instanceof StreamNotOfferedError) {
        if (error.status === 401 || error.status === 403) this.#reportDoubt()
        return this.#retryMs(error.retryMs, askedMs)
      }
    } finally {
      connection.abort()
      this.#document = undefined
    }
    this.#failures = this.#now() - beganAtMs >= STEADY_MS ? 1 : this.#failures + 1
    return this.#retryMs(getBackoffMs(RETRIES, this.#failures), askedMs)
  }

  #reportDoubt(): void {
    if (this.#hasTokenChanges && !this.#isStopped) this.#deps.tokens?.onDoubt()
  }

  /**
   * Adds jitter to a retry delay. Clients that were disconnected together must not all reconnect at the same time, and
   * no client may reconnect earlier than the upstream requested.
   */
  #retryMs(ownMs: number, askedMs: number): number {
    const chance = this.#deps.random()
    return Math.max(ownMs * (0.5 + chance / 2), askedMs * (1 + chance * 0.1))
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#pendingWait = { timer: startTimer(ms, resolve), end: resolve }
    })
    clearTimeout(this.#pendingWait?.timer)
    this.#pendingWait = undefined
  }

  async #follow(connection: AbortController): Promise<void> {
    const response = await this.#deps.upstream.stream(connection.signal, this.#deps.tokens !== undefined)
    if (!isStream(response)) {
      await response.body?.cancel()
      throw toStreamError(response)
    }
    const reader = new EventReader(MAX_RESPONSE_BYTES)
    const { silenceMs = SILENCE_MS } = this.#deps
    const cut = () => connection.abort()
    let silence = startTimer(silenceMs, cut)
    try {
      for await (const piece of response.body ?? []) {
        clearTimeout(silence)
        this.#lastActivityAtMs = this.#now()
        for (const event of reader.read(piece)) await this.#handleEvent(event, connection.signal)
        silence = startTimer(silenceMs, cut)
      }
    } finally {
      clearTimeout(silence)
    }
  }

  async #handleEvent({ event, data, id: eventId }: ParsedEvent, signal: AbortSignal): Promise<void> {
    if (event === 'fetch-mode')
      throw new StreamNotOfferedError(`asks to be polled (${data.slice(0, 20)})`, UNKNOWN_RETRY_MS)
    if (event === TOKEN_CHANGES_EVENT) return this.#handleTokenChanges(data)
    if (event !== STREAM_EVENTS.connected && event !== STREAM_EVENTS.updated) return
    const message = await this.#deps.upstream.readMessage(data)
    if (this.#isStopped || signal.aborted) return
    this.#requireSameDatabase(getStreamEventEpoch(eventId))
    const events =
      isObject(message) && Array.isArray(message.events)
        ? message.events
        : [{ type: 'hydration', ...requireConfiguration(message) }]
    const id = findLastEventId(events)
    const held = this.#document === undefined ? this.#begin(events, id) : this.#applyEvents(this.#document, events)
    this.#setDocument(held, Math.max(this.#documentId, id))
    // polls may already have delivered changes that this connection has yet to deliver
    const isCurrent = id === 0 || this.#documentId >= this.#revisionId
    this.#revisionId = Math.max(this.#revisionId, id)
    if (!isCurrent || events.length === 0) return
    const isPolled = hasEpoch(this.#etag) && this.#documentId === parseRevisionNumber(this.#etag)
    this.#hasReplacedPoll ||= !isPolled
    this.#accept(this.#filterByPrefix(held.document))
  }

  /**
   * Throws if an event belongs to another database epoch than the last poll, because numbers from different epochs
   * cannot be compared. Only a download can switch to another database epoch. If the ETag of the last poll contains no
   * revision, events of all epochs are accepted.
   */
  #requireSameDatabase(epoch: string): void {
    if (parseRevisionTag(this.#etag) === undefined || getTagEpoch(this.#etag) === epoch) return
    throw new NoStreamError('belongs to another database than the last download')
  }

  #handleTokenChanges(data: string): void {
    const { tokens } = this.#deps
    if (tokens === undefined) return
    this.#hasTokenChanges = true
    tokens.changed(parseTokenChanges(data))
  }

  #setDocument(document: DeltaDocument, id: number): void {
    this.#document = document
    this.#documentId = id
  }

  /** Applies those changes that polls have not delivered already. */
  #applyEvents(held: DeltaDocument, events: readonly unknown[]): DeltaDocument {
    held.apply(events.filter((event) => !isBefore(event, this.#documentId)))
    return held
  }

  /**
   * Processes the first message of a connection. The configuration in the first message may be older than the newest
   * configuration that was known when the connection was requested. An older configuration has two possible causes: the
   * server lags behind, or it was restored and sends no epoch that would reveal this.
   */
  #begin([first, ...more]: readonly unknown[], id: number): DeltaDocument {
    const isOlderThanKnown = id > 0 && id < this.#revisionIdAtRequest && id < this.#revisionId
    if (!isOlderThanKnown) this.#restore.reset()
    const isRestored = isOlderThanKnown && this.#restore.recordOlder(this.#etag)
    if (isOlderThanKnown && !isRestored) throw new Error('is older than the configuration in use')
    if (!isObject(first) || first.type !== 'hydration') throw new Error('does not begin with the complete state')
    const held = new DeltaDocument(parseFeatureDocument(first))
    held.apply(more)
    if (isRestored) this.#revisionId = 0
    this.#restore.reset()
    this.#documentId = 0
    this.#deps.debug?.(`Following the upstream stream from change ${id} on`)
    return held
  }

  #filterByPrefix(document: FeatureDocument): FeatureDocument {
    const { namePrefix } = this.#deps
    if (namePrefix === undefined) return document
    return { ...document, features: document.features.filter(({ name }) => name.startsWith(namePrefix)) }
  }
}

/** Returns true if two ETags belong to different number sequences, so that their numbers cannot be compared. */
function isOtherSequence(one: string | undefined, other: string | undefined): boolean {
  const [before, after] = [parseRevisionTag(one), parseRevisionTag(other)]
  return before !== undefined && before.lineage !== after?.lineage
}
