import type { Reply } from '../http/route.ts'
import { createCommentMessage, type EventMessage } from './event-message.ts'
import { type Outlet, StreamReply } from './outlet.ts'
import { type QuotaRefusal, type StreamCaller, StreamQuota, type StreamQuotaOptions } from './stream-quota.ts'

/** Reason why a stream cannot start: a quota is exhausted, or the process is shutting down ('ending'). */
export type StreamRefusal = QuotaRefusal | 'ending'

/** Callbacks of the code that opened a stream. */
export interface StreamOwner {
  /** Called once after either side has ended the stream. */
  ended?(stream: EventStream): void
  /**
   * Called when a client that had fallen behind has read everything that was sent before it fell behind. Messages after
   * that point were dropped, so the client now needs the complete state. Without this callback, a client that falls
   * behind is disconnected.
   */
  caughtUp?(stream: EventStream): void
}

/** Options of `EventStreams`. */
export interface EventStreamsOptions extends StreamQuotaOptions {
  /** Interval of keep-alive comments, in milliseconds; default 15,000. */
  readonly heartbeatMs?: number | undefined
  /**
   * Maximum number of bytes that were sent to a client but that the client has not yet read. A client with more unread
   * bytes is treated as behind. Default: 256 KiB.
   */
  readonly maxUnsentBytes?: number | undefined
  /** Called each time a stream is rejected because file descriptors are exhausted. */
  readonly descriptorsExhausted?: (() => void) | undefined
}

/**
 * Default heartbeat interval. Python SDKs disconnect after 30 s without data, and proxies after 30 to 60 s. Source:
 * wire protocol, section "Streaming", heartbeat
 */
const HEARTBEAT_MS = 15_000
const MAX_UNSENT_BYTES = 256 * 1024
/**
 * Number of slots per heartbeat interval. In each slot, only a fraction of the streams get a heartbeat, so that ten
 * thousand heartbeats are never sent at once.
 */
const HEARTBEAT_SLOTS = 60
const ENDING_INTERVAL_MS = 50
const HEARTBEAT = createCommentMessage('keep-alive')

/**
 * Event stream to one client. Messages are `EventMessage` objects; several streams can send the same object. A client
 * with more unread bytes than the maximum is behind: the stream drops messages until the client has read them, and then
 * calls `caughtUp`. The client then needs the complete state. A stream therefore buffers at most one message more than
 * the maximum.
 */
export class EventStream {
  readonly kind: string
  readonly #outlet: Outlet
  readonly #owner: StreamOwner
  readonly #maxUnsentBytes: number
  #isBehind = false
  #isOver = false

  constructor(kind: string, outlet: Outlet, owner: (stream: EventStream) => StreamOwner, mostUnsentBytes: number) {
    this.kind = kind
    this.#outlet = outlet
    this.#maxUnsentBytes = mostUnsentBytes
    this.#owner = owner(this)
  }

  /** True if the client is behind, so that messages are dropped. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Sends a message. Returns false if the client is behind or has disconnected. */
  send(message: EventMessage): boolean {
    if (this.#isBehind || this.#isOver) return false
    if (this.#outlet.unsentBytes > this.#maxUnsentBytes) {
      this.#fallBehind()
      return false
    }
    this.#outlet.write(message)
    return true
  }

  #fallBehind(): void {
    const { caughtUp } = this.#owner
    if (caughtUp === undefined) {
      this.cut()
      return
    }
    this.#isBehind = true
    this.#outlet.whenSent(() => {
      this.#isBehind = false
      caughtUp.call(this.#owner, this)
    })
  }

  /** Sends a keep-alive comment, unless other data is still being sent. */
  beat(): void {
    if (this.#outlet.unsentBytes === 0) this.#outlet.write(HEARTBEAT)
  }

  /** Ends the stream and its connection. Clients then reconnect. */
  end(): void {
    this.#isOver = true
    this.#outlet.end()
  }

  /** Closes the connection at once and drops all unsent data. */
  cut(): void {
    this.#isOver = true
    this.#outlet.cut()
  }

  /**
   * Ends the stream after its connection was closed. `EventStreams` calls this method when the connection has closed.
   */
  handleClosed(): void {
    this.#isOver = true
    this.#owner.ended?.(this)
  }
}

/** Number of streams of one kind that were rejected for one reason. */
export interface RefusedStreams {
  readonly kind: string
  readonly reason: StreamRefusal
  readonly count: number
}

interface Opening {
  readonly kind: string
  readonly caller: StreamCaller
  readonly outlet: Outlet
  readonly start: (stream: EventStream) => StreamOwner
}

/**
 * All event streams (server-sent events) of a process. Routes open event streams by returning them as replies. One
 * timer keeps all streams alive. The number of streams is limited, and existing streams are ended gradually at
 * shutdown.
 *
 * A route first checks `refusal(kind, caller)` and then returns `reply(kind, caller, start)`. When the head of the
 * reply was sent, `start` is called with the stream. `start` sends the initial state, stores the stream, and returns
 * callbacks, one of which removes the stream when it has ended. For each change, call `createEventMessage` once, and
 * then call `send` on every stream. In response to `HEAD`, only the head is sent, and `start` is not called. A stream
 * takes the least memory and time on a hot route (`isHot`).
 *
 *     const refusal = streams.refusal('sdk', caller)
 *     if (refusal !== undefined) throw …                        // 'ending': 503, else 429
 *     return streams.reply('sdk', caller, (stream) => {
 *       stream.send(whole())
 *       open.add(stream)
 *       return { ended: () => open.delete(stream), caughtUp: () => stream.send(whole()) }
 *     })
 */
export class EventStreams {
  readonly #options: EventStreamsOptions
  readonly #streams = new Set<EventStream>()
  readonly #quota: StreamQuota
  readonly #refused = new Map<string, RefusedStreams & { count: number }>()
  readonly #slots: Set<EventStream>[] = Array.from({ length: HEARTBEAT_SLOTS }, () => new Set())
  #openedCount = 0
  #slot = 0
  #heartbeat: NodeJS.Timeout | undefined
  #ending: NodeJS.Timeout | undefined
  #isEnding = false

  constructor(options: EventStreamsOptions) {
    this.#options = options
    this.#quota = new StreamQuota(options)
  }

  /** Number of open streams by kind, for each kind that was ever opened. */
  get counts(): ReadonlyMap<string, number> {
    return this.#quota.counts
  }

  /** Streams rejected since the process started, by kind and reason. */
  get refused(): readonly RefusedStreams[] {
    return [...this.#refused.values()]
  }

  /**
   * Returns true if no other stream of this kind can be opened with the token. If `token` is undefined, the check
   * applies to streams without a token.
   */
  isFull(kind: string, token: string | undefined): boolean {
    return this.#quota.isFull(kind, token)
  }

  /**
   * Returns the reason why a stream of this kind cannot start now, and counts the rejection; returns undefined if the
   * stream can start.
   */
  refusal(kind: string, caller: StreamCaller): StreamRefusal | undefined {
    const reason = this.#isEnding ? 'ending' : this.#quota.refusal(kind, caller)
    if (reason === undefined) return undefined
    const refused = this.#refused.get(`${kind} ${reason}`) ?? { kind, reason, count: 0 }
    refused.count += 1
    this.#refused.set(`${kind} ${reason}`, refused)
    if (reason === 'descriptors') this.#options.descriptorsExhausted?.()
    return reason
  }

  /**
   * Returns a reply that opens a stream. If the stream may no longer start by the time its head is sent, it ends at
   * once.
   */
  reply(kind: string, caller: StreamCaller, start: (stream: EventStream) => StreamOwner): Reply {
    return new StreamReply((outlet) => {
      if (!this.#isEnding && this.#quota.refusal(kind, caller) === undefined)
        this.#open({ kind, caller, outlet, start })
      else outlet.end()
    })
  }

  #open({ kind, caller, outlet, start }: Opening): void {
    const turn = this.#slots[this.#openedCount++ % HEARTBEAT_SLOTS]
    const stream = new EventStream(kind, outlet, start, this.#options.maxUnsentBytes ?? MAX_UNSENT_BYTES)
    this.#streams.add(stream)
    turn?.add(stream)
    const giveBack = this.#quota.take(kind, caller)
    this.#heartbeat ??= setInterval(
      () => this.#beat(),
      (this.#options.heartbeatMs ?? HEARTBEAT_MS) / HEARTBEAT_SLOTS,
    ).unref()
    outlet.whenClosed(() => {
      this.#streams.delete(stream)
      turn?.delete(stream)
      giveBack()
      if (this.#streams.size === 0) this.#stop()
      stream.handleClosed()
    })
  }

  #beat(): void {
    this.#slot = (this.#slot + 1) % HEARTBEAT_SLOTS
    for (const stream of this.#slots[this.#slot] ?? []) stream.beat()
  }

  #stop(): void {
    clearInterval(this.#heartbeat)
    clearInterval(this.#ending)
    this.#heartbeat = undefined
  }

  /**
   * Rejects new streams. Ends existing streams gradually, so that their clients do not all reconnect at the same time.
   */
  drain(overMs: number): void {
    this.#isEnding = true
    clearInterval(this.#ending)
    const all = [...this.#streams]
    const atOnce = Math.ceil(all.length / Math.max(1, Math.floor(overMs / ENDING_INTERVAL_MS)))
    const endSome = () => {
      for (const stream of all.splice(0, atOnce)) stream.end()
      if (all.length === 0) clearInterval(this.#ending)
    }
    this.#ending = setInterval(endSome, ENDING_INTERVAL_MS).unref()
    endSome()
  }

  /** Immediately ends all existing streams, and rejects new streams. */
  close(): void {
    this.#isEnding = true
    clearInterval(this.#ending)
    for (const stream of this.#streams) stream.end()
  }
}
