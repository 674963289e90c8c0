import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { TokenChanges } from '@burgee/protocol/token-changes'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { FollowingSource } from '@burgee/serving/upstream/following-source'
import { PollingSource } from '@burgee/serving/upstream/polling-source'
import { Upstream, UpstreamError, type UpstreamIdentity } from '@burgee/serving/upstream/upstream'
import type { Dispatcher } from 'undici'
import { shortenToken } from '../tokens/token-syntax.ts'
import { splitIntoRequests } from './separate-reports.ts'
import {
  type BulkReport,
  type EdgeUpstream,
  ImpactUnsupported,
  PartlyReported,
  type ValidatedToken,
} from './upstream-interface.ts'
import { readValidatedTokens } from './validated-tokens.ts'

/** Dependencies of an upstream over HTTP. Times are in milliseconds. */
export interface HttpUpstreamDeps {
  /** URL of the upstream, with or without a trailing `/api`. */
  readonly url: string
  readonly identity: UpstreamIdentity
  /** Outgoing connections. The connections are closed together with the upstream. */
  readonly dispatcher: Dispatcher
  /** Time limit of one request. */
  readonly timeoutMs: number
  readonly refreshIntervalMs: number
  readonly metricsIntervalMs: number
  /** With `auto`, flags are streamed if the upstream supports streams, and polled otherwise. */
  readonly streaming: 'auto' | 'off'
  /** Name of the header that carries the token. */
  readonly tokenHeader?: string | undefined
  /** Headers sent with every request, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called with the evaluation profile that a reply with flags announces; null if the reply announces none. */
  readonly onProfile?: ((name: string | null) => void) | undefined
  /** Called with a token if the upstream rejects a fetch with it (401 or 403). */
  readonly onRejected: (token: string) => void
  /** Called with token changes that the upstream announces in streams. */
  readonly onTokenChanges: (changes: TokenChanges) => void
  readonly monotonic: MonotonicClock
  readonly random: () => number
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
}

/** Time until the bulk endpoint is tried again after the server has replied that it does not exist. */
const NO_BULK_MS = 3_600_000
const REJECTIONS = new Set([401, 403])

/** Client for a server of the wire protocol over HTTP. Can be used with many different tokens. */
export class HttpUpstream implements EdgeUpstream {
  readonly #deps: HttpUpstreamDeps
  /** Client for requests without a token. */
  readonly #open: Upstream
  #noBulkUntilMs = Number.NEGATIVE_INFINITY

  constructor(deps: HttpUpstreamDeps) {
    this.#deps = deps
    this.#open = this.#with('')
  }

  async validate(tokens: readonly string[]): Promise<readonly ValidatedToken[]> {
    return readValidatedTokens(await this.#open.validate(tokens), tokens)
  }

  createSource(token: string): ConfigurationSource {
    const { refreshIntervalMs, random, logger, debug, streaming, onRejected, onTokenChanges } = this.#deps
    const tokens = { changed: onTokenChanges, onDoubt: () => onRejected(token) }
    const shared = {
      upstream: this.#with(token),
      query: new URLSearchParams(),
      refreshIntervalMs,
      random,
      logger: namedLogger(logger, token),
      debug: debug && ((message: string) => debug(`${message} (${shortenToken(token)})`)),
    }
    const source =
      streaming === 'auto'
        ? new FollowingSource({ ...shared, tokens, namePrefix: undefined })
        : new PollingSource(shared)
    return watchRejections(source, () => onRejected(token))
  }

  async report(token: string, report: BulkReport): Promise<void> {
    const upstream = this.#with(token)
    if (this.#deps.monotonic() >= this.#noBulkUntilMs) {
      try {
        return await upstream.post('/client/metrics/bulk', report)
      } catch (error) {
        if (!(error instanceof UpstreamError && error.status === 404)) throw error
        this.#noBulkUntilMs = this.#deps.monotonic() + NO_BULK_MS
      }
    }
    if (report.impactMetrics !== undefined) throw new ImpactUnsupported()
    await reportOneByOne(upstream, report)
  }

  close(): Promise<void> {
    return this.#deps.dispatcher.destroy()
  }

  #with(token: string): Upstream {
    return new Upstream({
      ...this.#deps,
      url: `${this.#deps.url.replace(/\/+$/, '').replace(/\/api$/i, '')}/api`,
      token: () => token,
      optionNames: { token: 'TOKENS', url: 'UPSTREAM_URL' },
    })
  }
}

async function reportOneByOne(upstream: Upstream, report: BulkReport): Promise<void> {
  const parts = splitIntoRequests(report)
  for (const [done, { path, body }] of parts.entries()) {
    try {
      await upstream.post(path, body)
    } catch (cause) {
      if (done === 0) throw cause
      const rest = parts.slice(done).map(({ part }) => part)
      const left = {
        applications: rest.flatMap(({ applications }) => applications),
        metrics: rest.flatMap(({ metrics }) => metrics),
      }
      throw new PartlyReported(left, { cause })
    }
  }
}

/** Wraps a logger so that each line names the token that the line is about. */
function namedLogger(logger: Logger, token: string): Logger {
  const named =
    (level: keyof Logger) =>
    (message: string, ...args: readonly unknown[]) =>
      logger[level](`${message} (${shortenToken(token)})`, ...args)
  return {
    debug: named('debug'),
    info: named('info'),
    warn: named('warn'),
    error: named('error'),
    fatal: named('fatal'),
  }
}

function watchRejections(source: ConfigurationSource, onRejected: () => void): ConfigurationSource {
  return {
    get isFollowing() {
      return source.isFollowing ?? false
    },
    start: (listener: ConfigurationListener) =>
      source.start({
        accept: (document, origin, revision) => listener.accept(document, origin, revision),
        confirm: () => listener.confirm(),
        fail: (error) => {
          listener.fail(error)
          if (error instanceof UpstreamError && REJECTIONS.has(error.status)) onRejected()
        },
      }),
    refresh: () => source.refresh?.(),
    stop: () => source.stop(),
  }
}
