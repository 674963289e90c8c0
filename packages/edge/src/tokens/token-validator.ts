import { hash } from 'node:crypto'
import { getBackoffMs } from '@burgee/kit/backoff'
import { FairQueue } from '@burgee/kit/fair-queue'
import type { Network } from '@burgee/kit/http/client-network'
import { RateLimit } from '@burgee/kit/http/rate-limit'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { startTimer } from '@burgee/kit/timer'
import { UpstreamError } from '@burgee/serving/upstream/upstream'
import type { EdgeUpstream, ValidatedToken } from '../upstream/upstream-interface.ts'
import type { EdgeToken, TokenRequester } from './edge-token.ts'
import { TokenRefused, TokenUndecided } from './token-refusal.ts'
import { createEdgeToken } from './token-store.ts'
import { readTokenForm } from './token-syntax.ts'

/** Maximum number of tokens in one request. Source: wire protocol, `POST /edge/validate`. */
export const MAX_TOKENS_PER_REQUEST = 100

/** The upstream's result for one token: its scope, or undefined if it is invalid. */
export type ValidationResult = ValidatedToken | undefined

/** Dependencies of token validation. */
export interface TokenValidatorDeps {
  readonly upstream: Pick<EdgeUpstream, 'validate'>
  readonly monotonic: MonotonicClock
  /**
   * Maximum number of invalid tokens per minute and network. A network that has reached this limit is allowed only a
   * few waiting tokens.
   */
  readonly guessLimitPerMinute: number
}

/**
 * Maximum number of SDK tokens that wait for validation. If one more token arrives, the network with the most waiting
 * tokens loses one of them.
 */
const MAX_PENDING = 1000
/** Maximum number of waiting tokens from one network. */
const MAX_PENDING_PER_NETWORK = 250
/**
 * Maximum number of waiting tokens from a network that has sent too many invalid tokens. The limit for a downstream
 * node still allows one request with the maximum number of tokens.
 */
const GUESSER_LIMITS = { sdk: 10, node: MAX_TOKENS_PER_REQUEST }
const MINUTE_MS = 60_000
/** Number of requests that may be sent in one burst; further requests are PACE_MS apart (300 a minute). */
const MAX_BURST = 10
const PACE_MS = 200
/**
 * Status with which the upstream reports that it has received too many invalid tokens. After this status, the waiting
 * tokens stay queued and one request is sent per second.
 */
const TOO_MANY = 429
/**
 * Pauses after a request that failed in any other way. During a pause, SDK tokens that are not known yet are reported
 * as undecided.
 */
const PAUSES = { firstMs: 1000, maxMs: 10_000 }

interface PendingValidation {
  readonly result: Promise<ValidationResult>
  readonly resolve: (result: ValidationResult) => void
  readonly reject: (error: TokenUndecided) => void
}

/**
 * Validates tokens with the upstream, one request at a time and at a limited rate, even if callers send invented
 * tokens. Tokens that arrive during a request are batched into the next request. A token that many callers send is
 * validated only once. A request takes tokens from all networks in turn, so that a network that invents tokens does not
 * delay others.
 */
export class TokenValidator {
  readonly #deps: TokenValidatorDeps
  readonly #waiting = new FairQueue<PendingValidation>({ max: MAX_PENDING })
  readonly #invalidTokens: RateLimit
  /** Tokens of the current request. */
  #inFlight: ReadonlyMap<string, PendingValidation> = new Map()
  #isRunning = false
  /** Hashes of the tokens that were revoked since the current request was sent. */
  readonly #revoked = new Set<string>()
  #queue: Promise<unknown> = Promise.resolve()
  #allowance = MAX_BURST
  #allowanceAtMs: number
  #failures = 0
  #failedAtMs = Number.NEGATIVE_INFINITY
  #failure: TokenUndecided | undefined
  readonly #sleeping = new Map<NodeJS.Timeout, () => void>()
  #isClosed = false

  constructor(deps: TokenValidatorDeps) {
    this.#deps = deps
    this.#allowanceAtMs = deps.monotonic()
    this.#invalidTokens = new RateLimit({
      max: deps.guessLimitPerMinute,
      windowMs: MINUTE_MS,
      monotonic: deps.monotonic,
    })
  }

  /** Number of SDK tokens whose validation is not complete. */
  get pendingCount(): number {
    return this.#waiting.size + this.#inFlight.size
  }

  /** Validates a token that an SDK sent. Rejects with TokenUndecided. */
  async validate(text: string, { network, kind }: TokenRequester): Promise<ValidationResult> {
    const same = this.#waiting.get(text) ?? this.#inFlight.get(text)
    if (same !== undefined) return same.result
    const pauseMs = getBackoffMs(PAUSES, this.#failures)
    const isPaused = this.#failure !== undefined && this.#failure.status !== TOO_MANY
    if (isPaused && this.#deps.monotonic() - this.#failedAtMs < pauseMs) throw this.#failure
    if (this.#isClosed) throw new TokenUndecided('busy')
    const group = `${kind} ${network}`
    const places = this.#invalidTokens.isExhausted(network) ? GUESSER_LIMITS[kind] : MAX_PENDING_PER_NETWORK
    if (this.#waiting.getGroupSize(group) >= places) throw new TokenUndecided('crowded', TOO_MANY)
    const { promise, resolve, reject } = Promise.withResolvers<ValidationResult>()
    const evicted = this.#waiting.add(group, text, { result: promise, resolve, reject })
    evicted?.reject(new TokenUndecided('busy'))
    if (!this.#isRunning) void this.#validateWaiting()
    return promise
  }

  /** Counts an invalid token that a network has sent. Returns true if the network has then exceeded its limit. */
  recordGuess(network: Network): boolean {
    return this.#invalidTokens.take(network).waitMs > 0
  }

  /**
   * Validates up to `MAX_TOKENS_PER_REQUEST` tokens as soon as the requests that are already queued have been sent.
   * Rejects in the same cases as `EdgeUpstream.validate`.
   */
  validateAll(texts: readonly string[]): Promise<ReadonlyMap<string, ValidatedToken>> {
    return this.#enqueue(() => texts)
  }

  /** Makes the validator ignore what the current request returns for a token, identified by its SHA-256. */
  revoke(digest: string): void {
    this.#revoked.add(digest)
  }

  /** Stops all requests. Tokens that are still waiting are reported as undecided. */
  close(): void {
    this.#isClosed = true
    for (const [timer, wake] of this.#sleeping) {
      clearTimeout(timer)
      wake()
    }
    this.#rejectWaiting(new TokenUndecided('busy'))
  }

  #rejectWaiting(failure: TokenUndecided): void {
    for (const { reject } of this.#waiting.clear()) reject(failure)
  }

  async #validateWaiting(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.size > 0) {
      try {
        // choose the tokens only when the request can start, because more tokens may arrive until then
        const results = await this.#enqueue(() => this.#take())
        for (const [text, { resolve }] of this.#inFlight) resolve(results.get(text))
      } catch (cause) {
        const failure = new TokenUndecided('upstream', getUpstreamStatus(cause), { cause })
        for (const { reject } of this.#inFlight.values()) reject(failure)
        // after a 429, only the tokens of this batch fail, so that a valid token that waits behind invented ones is
        // still validated
        if (failure.status !== TOO_MANY) this.#rejectWaiting(failure)
      }
      this.#inFlight = new Map()
    }
    this.#isRunning = false
  }

  #take(): string[] {
    this.#inFlight = this.#waiting.take(MAX_TOKENS_PER_REQUEST)
    return [...this.#inFlight.keys()]
  }

  #enqueue(texts: () => readonly string[]): Promise<ReadonlyMap<string, ValidatedToken>> {
    const turn = this.#queue.then(async () => {
      await this.#pace()
      if (this.#isClosed) throw new Error('The validator is closed')
      return this.#send(texts())
    })
    this.#queue = turn.catch(() => {})
    return turn
  }

  async #send(texts: readonly string[]): Promise<ReadonlyMap<string, ValidatedToken>> {
    if (texts.length === 0) return new Map()
    this.#revoked.clear()
    try {
      const valid = await this.#deps.upstream.validate(texts)
      this.#failures = 0
      this.#failure = undefined
      const current =
        this.#revoked.size === 0 ? valid : valid.filter(({ token }) => !this.#revoked.has(hash('sha256', token)))
      return new Map(current.map((token) => [token.token, token]))
    } catch (cause) {
      // a missing endpoint is a result and not a failure: none of the tokens is known
      if (getUpstreamStatus(cause) !== 404) {
        this.#failures += 1
        this.#failedAtMs = this.#deps.monotonic()
        this.#failure = new TokenUndecided('upstream', getUpstreamStatus(cause), { cause })
      }
      throw cause
    }
  }

  async #pace(): Promise<void> {
    const now = this.#deps.monotonic()
    this.#allowance = Math.min(MAX_BURST, this.#allowance + Math.max(0, now - this.#allowanceAtMs) / PACE_MS)
    this.#allowanceAtMs = now
    this.#allowance -= 1
    const slowMs = this.#failure?.status === TOO_MANY ? this.#failedAtMs + PAUSES.firstMs - now : 0
    const waitMs = Math.max(slowMs, -this.#allowance * PACE_MS)
    if (waitMs > 0) await this.#sleep(waitMs)
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = startTimer(ms, () => {
        this.#sleeping.delete(timer)
        resolve()
      })
      this.#sleeping.set(timer, resolve)
    })
  }
}

/** Returns the status of the upstream's reply, or undefined if there was no reply. */
export function getUpstreamStatus(error: unknown): number | undefined {
  return error instanceof UpstreamError ? error.status : undefined
}

/** Environment of tokens that are valid in more than one environment. */
export const ANY_ENVIRONMENT = '*'

/**
 * Creates the token that a result of the upstream describes. An admin token for one environment counts as a backend
 * token. Throws TokenRefused for an invalid token, and for a token without a single environment, because it is
 * undefined which environment's flags such a token gets.
 */
export function toEdgeToken(text: string, result: ValidationResult, origin: 'start' | 'upstream'): EdgeToken {
  if (result === undefined) throw new TokenRefused('unknown')
  const { type, environment, projects } = result
  if (type === 'other' || environment === ANY_ENVIRONMENT) throw new TokenRefused('kind')
  return createEdgeToken({ text, kind: type === 'frontend' ? 'frontend' : 'backend', environment, projects, origin })
}

/**
 * Creates results from the texts of the tokens alone, for an upstream without `/edge/validate`. Omits tokens of several
 * projects, because their texts do not name the projects.
 */
export function toValidationResults(texts: readonly string[]): ReadonlyMap<string, ValidatedToken> {
  const results = new Map<string, ValidatedToken>()
  for (const token of texts) {
    const { environment, projects } = readTokenForm(token) ?? {}
    if (environment !== undefined && projects !== undefined)
      results.set(token, { token, type: 'backend', environment, projects })
  }
  return results
}

/** Returns true if two tokens with the same text have the same kind, origin and scope. */
export function isSameToken(one: EdgeToken, other: EdgeToken): boolean {
  const getScope = ({ kind, environment, projects, origin }: EdgeToken) =>
    JSON.stringify([kind, environment, origin, ...projects])
  return getScope(one) === getScope(other)
}

/**
 * Returns a number that grows with the width of a scope. Tokens with the widest scopes are added first, so that no
 * flags are fetched with a token whose scope is part of a wider scope.
 */
export function getScopeWidth(result: ValidationResult): number {
  if (result === undefined) return -1
  return result.projects.includes('*') ? Number.MAX_SAFE_INTEGER : result.projects.length
}
