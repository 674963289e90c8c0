import type { Reply } from '../http/route.ts'
import { commentMessage, type EventMessage } from './event-message.ts'
import { type Outlet, StreamReply } from './outlet.ts'
import { type QuotaRefusal, type StreamCaller, StreamQuota, type StreamQuotaOptions } from './stream-quota.ts'

/** Reasons why a stream cannot begin: a quota, or the process ends. */
export type StreamRefusal = QuotaRefusal | 'ending'

/** Whoever writes on a stream hears of it. */
export interface StreamOwner {
  /** The stream is over, by whomever. Called once. */
  ended?(stream: EventStream): void
  /**
   * A client that had stopped to read has read all that it was sent before that; what came after was left out. Now it
   * is to get a whole state. Left out, a client that does not read is cut off instead.
   */
  caughtUp?(stream: EventStream): void
}

/** How streams are kept. */
export interface EventStreamsOptions extends StreamQuotaOptions {
  /** How often each client gets a comment, in milliseconds; 15,000 by default. */
  readonly heartbeatMs?: number | undefined
  /** How much a client may leave unread before it is behind, in bytes; 256 KiB by default. */
  readonly mostUnsentBytes?: number | undefined
  /** Called for each stream that is refused for want of file descriptors. */
  readonly descriptorsExhausted?: (() => void) | undefined
}

/** Python SDKs give up after 30 s of silence, proxies after 30 to 60. Source: wire protocol "Streaming", heartbeat */
const HEARTBEAT_MS = 15_000
const MOST_UNSENT_BYTES = 256 * 1024
/** Parts of the heartbeat interval: so many streams at once get theirs, and nobody waits for ten thousand of them. */
const TURNS = 60
const ENDING_INTERVAL_MS = 50
const HEARTBEAT = commentMessage('keep-alive')

/**
 * One client's stream. What it is sent is one `EventMessage`, best the same object for all who get the same. A client
 * that leaves more unread than the bound is behind: it is sent nothing more until it has read that (`caughtUp`), so that
 * a stream never holds more than the bound and one message.
 */
export class EventStream {
  readonly kind: string
  readonly #outlet: Outlet
  readonly #owner: StreamOwner
  readonly #mostUnsentBytes: number
  #isBehind = false
  #isOver = false

  constructor(kind: string, outlet: Outlet, owner: (stream: EventStream) => StreamOwner, mostUnsentBytes: number) {
    this.kind = kind
    this.#outlet = outlet
    this.#mostUnsentBytes = mostUnsentBytes
    this.#owner = owner(this)
  }

  /** Whether the client has stopped to read, so that what is sent now is left out. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Sends a message. False where the client is behind, or has gone. */
  send(message: EventMessage): boolean {
    if (this.#isBehind || this.#isOver) return false
    if (this.#outlet.unsentBytes > this.#mostUnsentBytes) {
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

  /** A comment, unless there is more on its way already. */
  beat(): void {
    if (this.#outlet.unsentBytes === 0) this.#outlet.write(HEARTBEAT)
  }

  /** Ends the stream, and its connection; clients come again. */
  end(): void {
    this.#isOver = true
    this.#outlet.end()
  }

  /** Breaks the connection off: nothing that waits is sent any more. */
  cut(): void {
    this.#isOver = true
    this.#outlet.cut()
  }

  /** Called by those who keep it when the connection is closed. */
  over(): void {
    this.#isOver = true
    this.#owner.ended?.(this)
  }
}

/** Number of streams of a kind that were refused for a reason. */
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
 * The event streams of a process (server-sent events): opened as replies of routes, kept alive by one timer, limited in
 * number, ended in an orderly way.
 *
 * A route answers with `reply(kind, caller, start)`, after it has asked `refusal(kind, caller)`. `start` is called once the head is on
 * its way; it gets the stream, sends what comes first, remembers the stream, and returns who hears of its end, where the
 * stream is forgotten again. A change makes one `eventMessage` and calls `send` of every stream. `HEAD` gets the head
 * alone and starts nothing. A hot route (`isHot`) costs the least memory and time.
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
  readonly #turns: Set<EventStream>[] = Array.from({ length: TURNS }, () => new Set())
  #begun = 0
  #turn = 0
  #heartbeat: NodeJS.Timeout | undefined
  #ending: NodeJS.Timeout | undefined
  #isEnding = false

  constructor(options: EventStreamsOptions) {
    this.#options = options
    this.#quota = new StreamQuota(options)
  }

  /** How many streams there are of each kind that ever was. */
  get counts(): ReadonlyMap<string, number> {
    return this.#quota.counts
  }

  /** Streams that were refused since the start, by kind and reason. */
  get refused(): readonly RefusedStreams[] {
    return [...this.#refused.values()]
  }

  /** Returns whether no stream of this kind can begin for a token (undefined: for callers without one). */
  isFull(kind: string, token: string | undefined): boolean {
    return this.#quota.isFull(kind, token)
  }

  /** Returns why a stream of this kind cannot begin now, and counts the refusal; undefined if it can begin. */
  refusal(kind: string, caller: StreamCaller): StreamRefusal | undefined {
    const reason = this.#isEnding ? 'ending' : this.#quota.refusal(kind, caller)
    if (reason === undefined) return undefined
    const refused = this.#refused.get(`${kind} ${reason}`) ?? { kind, reason, count: 0 }
    refused.count += 1
    this.#refused.set(`${kind} ${reason}`, refused)
    if (reason === 'descriptors') this.#options.descriptorsExhausted?.()
    return reason
  }

  /** The reply that is a stream. One that cannot begin any more when its head is sent ends at once. */
  reply(kind: string, caller: StreamCaller, start: (stream: EventStream) => StreamOwner): Reply {
    return new StreamReply((outlet) => {
      if (!this.#isEnding && this.#quota.refusal(kind, caller) === undefined)
        this.#open({ kind, caller, outlet, start })
      else outlet.end()
    })
  }

  #open({ kind, caller, outlet, start }: Opening): void {
    const turn = this.#turns[this.#begun++ % TURNS]
    const stream = new EventStream(kind, outlet, start, this.#options.mostUnsentBytes ?? MOST_UNSENT_BYTES)
    this.#streams.add(stream)
    turn?.add(stream)
    const giveBack = this.#quota.take(kind, caller)
    this.#heartbeat ??= setInterval(() => this.#beat(), (this.#options.heartbeatMs ?? HEARTBEAT_MS) / TURNS).unref()
    outlet.whenClosed(() => {
      this.#streams.delete(stream)
      turn?.delete(stream)
      giveBack()
      if (this.#streams.size === 0) this.#stop()
      stream.over()
    })
  }

  #beat(): void {
    this.#turn = (this.#turn + 1) % TURNS
    for (const stream of this.#turns[this.#turn] ?? []) stream.beat()
  }

  #stop(): void {
    clearInterval(this.#heartbeat)
    clearInterval(this.#ending)
    this.#heartbeat = undefined
  }

  /** Begins no more streams, and ends those there are one after the other over a time, so that not all come back at once. */
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

  /** Begins no more streams, and ends all there are now. */
  close(): void {
    this.#isEnding = true
    clearInterval(this.#ending)
    for (const stream of this.#streams) stream.end()
  }
}
