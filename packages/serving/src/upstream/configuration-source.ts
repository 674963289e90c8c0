import type { Debug, Logger } from '@burgee/kit/log/logger'
import { after } from '@burgee/kit/timer'
import { type FeatureDocument, readDocument } from '../document/feature-document.ts'
import type { Origin } from '../document/origin.ts'
import { hasEpoch, isOlder, revisionOf, type TaggedRevision } from '../document/revision-tag.ts'
import { reasonOf } from './error-reason.ts'
import { type Download, retryAfterOf, type Upstream } from './upstream.ts'

/** Whether a configuration could be used, once that is known; most listeners do not say. */
// biome-ignore lint/suspicious/noConfusingVoidType: who says nothing returns nothing
type Used = void | Promise<boolean>

/** Hears of configurations. */
export interface ConfigurationListener {
  /**
   * A new configuration, checked in its frame; from the upstream itself unless it says otherwise. The revision is which
   * state of the upstream it is, where that says so. Where the answer is false it could not be used, whatever the reason:
   * then it is asked for again.
   */
  accept(document: FeatureDocument, origin?: Origin, revision?: TaggedRevision): Used
  /** The configuration in use was confirmed. */
  confirm(): void
  /** One attempt failed; what is in use stays. */
  fail(error: Error): void
}

/** Where configuration comes from: an upstream over HTTP, or a server in the same process. */
export interface ConfigurationSource {
  /** Whether a stream of the upstream tells of changes; left out where none is asked for. */
  readonly isFollowing?: boolean
  start(listener: ConfigurationListener): void
  /** Asks again now, where it waits for the next time: something has changed that may let it succeed. */
  refresh?(): void
  /** After this the listener hears nothing more. */
  stop(): Promise<void>
}

/** A stream that tells of changes by itself. */
export interface FollowedStream {
  /** Whether it has told everything, and has been heard of in the last half minute. */
  readonly isAlive: boolean
  /** Number of the newest change known from the stream or from polls; 0 if none is known. */
  readonly revisionId: number
  /** Reports a poll: the configuration in use from now on with its ETag, or undefined if the one in use stays. */
  polled(answer: { readonly document: FeatureDocument; readonly etag: string | undefined } | undefined): void
}

/** What a polling source needs. */
export interface PollingSourceDeps {
  /** While it is alive the upstream is asked seldom. */
  readonly stream?: FollowedStream | undefined
  /** Milliseconds since any time. */
  readonly now?: () => number
  readonly upstream: Upstream
  readonly query: URLSearchParams
  readonly refreshIntervalMs: number
  readonly random: () => number
  readonly logger: Logger
  /** Hears of what is done step by step. */
  readonly debug?: Debug | undefined
}

const MOST_SLOWDOWN = 10
/** How often it is asked for safety's sake what a stream should have told. */
const SAFETY_MS = 60_000
const FIRST_RETRY_MS = 1000
/**
 * Number of older configurations in a row after which an upstream whose ETags carry no epoch counts as restored from a
 * backup.
 */
export const OLDER_IN_A_ROW_MEANS_RESTORED = 5

/**
 * Polls an upstream, one request at a time, so that an older answer can never overtake a newer one. An answer that the
 * stream overtook while it was on its way is ignored. A configuration that was already older than the one in use when it
 * was requested (one of several servers may be behind) is a failure; it is used only if several follow each other and the
 * upstream has no epochs, by which a restore is recognized otherwise.
 * After a failure it waits longer (up to ten intervals, with jitter) but never gives up, whatever the upstream said. A
 * failure is logged when it begins and when it ends, not in between.
 */
export class PollingSource implements ConfigurationSource {
  readonly #deps: PollingSourceDeps
  #etag: string | undefined
  #failures = 0
  /** Wait that the last failure asked for. */
  #retryAfterMs = 0
  #olderInARow = 0
  #isSynced = false
  #timer: NodeJS.Timeout | undefined
  #listener: ConfigurationListener | undefined
  #isStopped = false
  #askedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: PollingSourceDeps) {
    this.#deps = deps
  }

  start(listener: ConfigurationListener): void {
    this.#listener = listener
    void this.#poll(listener)
  }

  refresh(): void {
    // without a timer a request is under way, or nothing has begun
    if (this.#timer === undefined || this.#listener === undefined || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#askedAtMs = Number.NEGATIVE_INFINITY
    void this.#poll(this.#listener)
  }

  /** What came last is not in use: the upstream is asked for all of it the next time, whatever a stream has told. */
  forget(): void {
    this.#etag = undefined
    this.#askedAtMs = Number.NEGATIVE_INFINITY
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #forgetUnused(used: Used): Promise<void> {
    if ((await used) === false) this.forget()
  }

  async #poll(listener: ConfigurationListener): Promise<void> {
    this.#timer = undefined
    const { stream, now = () => performance.now() } = this.#deps
    if (stream?.isAlive && this.#failures === 0 && now() - this.#askedAtMs < SAFETY_MS) {
      listener.confirm()
      this.#timer = after(this.#deps.refreshIntervalMs, () => void this.#poll(listener))
      return
    }
    this.#askedAtMs = now()
    const revisionIdAtRequest = stream?.revisionId
    try {
      const download = await this.#deps.upstream.download(this.#deps.query, this.#etag)
      if (this.#isStopped) return
      this.#deps.debug?.(`The upstream answers: ${download.changed ? 'a new configuration' : 'nothing has changed'}`)
      this.#use(download, listener, revisionIdAtRequest)
      this.#succeeded()
    } catch (error) {
      if (this.#isStopped) return
      this.#failed(error instanceof Error ? error : new Error(String(error)), listener)
    }
    const delayMs = this.#delayMs()
    this.#deps.debug?.(`The upstream is asked again in ${Math.round(delayMs)} ms`)
    this.#timer = after(delayMs, () => void this.#poll(listener))
  }

  #use(download: Download, listener: ConfigurationListener, revisionIdAtRequest: number | undefined): void {
    const { stream } = this.#deps
    if (!download.changed) {
      this.#olderInARow = 0
      listener.confirm()
      stream?.polled(undefined)
      return
    }
    const { body, etag } = download
    if (isOlder(etag, this.#etag, revisionIdAtRequest)) this.#refuseUnlessRestored(etag)
    else if (isOlder(etag, this.#etag, stream?.revisionId)) {
      this.#deps.debug?.('The answer is ignored: the stream has delivered a newer configuration since it was requested')
      listener.confirm()
      stream?.polled(undefined)
      return
    }
    const document = readDocument(body)
    this.#olderInARow = 0
    this.#etag = etag
    void this.#forgetUnused(listener.accept(document, 'upstream', revisionOf(etag)))
    stream?.polled({ document, etag })
  }

  #refuseUnlessRestored(etag: string | undefined): void {
    this.#olderInARow += 1
    if (this.#olderInARow >= OLDER_IN_A_ROW_MEANS_RESTORED && !hasEpoch(etag)) return
    throw new Error('The upstream answered with a configuration older than the one in use')
  }

  #succeeded(): void {
    if (this.#failures > 0)
      this.#deps.logger.warn(`The upstream answers again, after ${this.#failures} failed attempts`)
    this.#failures = 0
    this.#retryAfterMs = 0
    this.#isSynced = true
  }

  #failed(error: Error, listener: ConfigurationListener): void {
    this.#failures += 1
    this.#retryAfterMs = retryAfterOf(error)
    if (this.#failures === 1) this.#deps.logger.error(`Cannot get features from the upstream: ${reasonOf(error)}`)
    listener.fail(error)
  }

  /**
   * Returns the interval after a success. Failures make it longer, but a start that fails tries again soon; never before the
   * upstream wants to be asked again.
   */
  #delayMs(): number {
    const { refreshIntervalMs, random } = this.#deps
    if (this.#failures === 0) return refreshIntervalMs
    const step = this.#isSynced ? refreshIntervalMs : Math.min(refreshIntervalMs, FIRST_RETRY_MS)
    const chance = random()
    const ownMs = step * Math.min(1 + this.#failures, MOST_SLOWDOWN) * (0.9 + chance * 0.2)
    return Math.max(ownMs, this.#retryAfterMs * (1 + chance * 0.1))
  }
}
