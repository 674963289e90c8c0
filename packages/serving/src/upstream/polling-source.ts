import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import { startTimer } from '@burgee/kit/timer'
import { parseFeatureDocument } from '../document/feature-document.ts'
import { isOlder, parseRevisionTag } from '../document/revision-tag.ts'
import type {
  AcceptResult,
  ConfigurationListener,
  ConfigurationSource,
  FollowedStream,
} from './configuration-source.ts'
import { describeError } from './error-reason.ts'
import { RestoreDetector } from './restore-detector.ts'
import { type DownloadResult, getErrorRetryAfterMs, type Upstream } from './upstream.ts'

/** Dependencies of a `PollingSource`. */
export interface PollingSourceDeps {
  /** Stream that makes frequent polls unnecessary while it is alive. */
  readonly stream?: FollowedStream | undefined
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number
  readonly upstream: Upstream
  readonly query: URLSearchParams
  readonly refreshIntervalMs: number
  readonly random: () => number
  readonly logger: Logger
  /** Logger for detailed debug messages. */
  readonly debug?: DebugLog | undefined
}

const MAX_SLOWDOWN = 10
/** Poll interval while a stream is alive; these polls detect changes that the stream missed. */
const SAFETY_MS = 60_000
const FIRST_RETRY_MS = 1000
/**
 * Source that polls an upstream, with one request at a time, so that an older response cannot arrive after a newer one.
 * After a failure, the source waits longer between polls (up to ten intervals, with jitter), but never gives up. The
 * source logs the beginning and the end of each outage.
 *
 * A response is ignored if the stream has delivered a newer configuration since the request was sent. While a
 * configuration from the stream is in use, requests carry no ETag, so that a 304 always confirms the configuration in
 * use.
 *
 * A response is treated as a failure if it is older than the configuration that was in use at the time of the request,
 * because one of several servers may lag behind. An older configuration is used only after several such responses in a
 * row, and only if the upstream's ETags contain no epoch: a changed epoch would reveal that the upstream was restored.
 */
export class PollingSource implements ConfigurationSource {
  readonly #deps: PollingSourceDeps
  #etag: string | undefined
  readonly #outage: OutageLog
  /** Minimum wait that the last failed response requested. */
  #retryAfterMs = 0
  readonly #restore = new RestoreDetector()
  #isSynced = false
  #timer: NodeJS.Timeout | undefined
  #listener: ConfigurationListener | undefined
  #isStopped = false
  #requestedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: PollingSourceDeps) {
    this.#deps = deps
    const { logger } = deps
    this.#outage = new OutageLog({
      begins: (error) => logger.error(`Cannot get features from the upstream: ${describeError(error)}`),
      ends: (failures) => logger.warn(`The upstream answers again, after ${failures} failed attempts`),
    })
  }

  start(listener: ConfigurationListener): void {
    this.#listener = listener
    void this.#poll(listener)
  }

  refresh(): void {
    // without a timer, a request is in flight or the source has not started yet
    if (this.#timer === undefined || this.#listener === undefined || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#requestedAtMs = Number.NEGATIVE_INFINITY
    void this.#poll(this.#listener)
  }

  /**
   * Discards the ETag, because the last configuration received is not in use. The next poll then requests the whole
   * configuration, even if a stream is alive.
   */
  forget(): void {
    this.#etag = undefined
    this.#requestedAtMs = Number.NEGATIVE_INFINITY
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #forgetUnused(used: AcceptResult): Promise<void> {
    if ((await used) === false) this.forget()
  }

  async #poll(listener: ConfigurationListener): Promise<void> {
    this.#timer = undefined
    const { stream, now = () => performance.now() } = this.#deps
    if (stream?.isAlive && !this.#outage.isFailing && now() - this.#requestedAtMs < SAFETY_MS) {
      listener.confirm()
      this.#timer = startTimer(this.#deps.refreshIntervalMs, () => void this.#poll(listener))
      return
    }
    this.#requestedAtMs = now()
    const revisionIdAtRequest = stream?.revisionId
    // a 304 confirms the configuration in use, so the ETag must belong to that configuration
    const etag = stream?.hasReplacedPoll ? undefined : this.#etag
    try {
      const download = await this.#deps.upstream.download(this.#deps.query, etag)
      if (this.#isStopped) return
      this.#deps.debug?.(`The upstream answers: ${download.changed ? 'a new configuration' : 'nothing has changed'}`)
      this.#handleDownload(download, listener, revisionIdAtRequest)
      this.#recordSuccess()
    } catch (error) {
      if (this.#isStopped) return
      this.#recordFailure(error instanceof Error ? error : new Error(String(error)), listener)
    }
    const delayMs = this.#delayMs()
    this.#deps.debug?.(`Polling the upstream again in ${Math.round(delayMs)} ms`)
    this.#timer = startTimer(delayMs, () => void this.#poll(listener))
  }

  #handleDownload(
    download: DownloadResult,
    listener: ConfigurationListener,
    revisionIdAtRequest: number | undefined,
  ): void {
    const { stream } = this.#deps
    if (!download.changed) {
      this.#restore.reset()
      listener.confirm()
      stream?.recordPoll(undefined)
      return
    }
    const { body, etag } = download
    if (isOlder(etag, this.#etag, revisionIdAtRequest)) this.#refuseUnlessRestored(etag)
    else if (isOlder(etag, this.#etag, stream?.revisionId)) {
      this.#deps.debug?.('Ignoring the response: the stream delivered a newer configuration after the request')
      listener.confirm()
      stream?.recordPoll(undefined)
      return
    }
    const document = parseFeatureDocument(body)
    this.#restore.reset()
    this.#etag = etag
    void this.#forgetUnused(listener.accept(document, 'upstream', parseRevisionTag(etag)))
    stream?.recordPoll({ document, etag })
  }

  #refuseUnlessRestored(etag: string | undefined): void {
    if (this.#restore.recordOlder(etag)) return
    throw new Error('The upstream returned a configuration that is older than the one in use')
  }

  #recordSuccess(): void {
    this.#outage.succeed()
    this.#retryAfterMs = 0
    this.#isSynced = true
  }

  #recordFailure(error: Error, listener: ConfigurationListener): void {
    this.#retryAfterMs = getErrorRetryAfterMs(error)
    this.#outage.fail(error)
    listener.fail(error)
  }

  /**
   * Returns the delay until the next poll: the normal interval after a success, a longer delay after failures, and a
   * shorter one until a poll has succeeded for the first time. Never returns a delay shorter than the upstream
   * requested.
   */
  #delayMs(): number {
    const { refreshIntervalMs, random } = this.#deps
    if (!this.#outage.isFailing) return refreshIntervalMs
    const step = this.#isSynced ? refreshIntervalMs : Math.min(refreshIntervalMs, FIRST_RETRY_MS)
    const chance = random()
    const ownMs = step * Math.min(1 + this.#outage.failures, MAX_SLOWDOWN) * (0.9 + chance * 0.2)
    return Math.max(ownMs, this.#retryAfterMs * (1 + chance * 0.1))
  }
}
