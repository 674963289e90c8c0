import { hash } from 'node:crypto'
import { FairQueue } from '@burgee/kit/fair-queue'
import type { Network } from '@burgee/kit/http/network'
import { RateLimit } from '@burgee/kit/http/rate-limit'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { after } from '@burgee/kit/timer'
import { UpstreamError } from '@burgee/serving/upstream/upstream'
import type { EdgeUpstream, ValidatedToken } from '../upstream/edge-upstream.ts'
import type { Asker } from './edge-token.ts'
import { TokenUndecided } from './token-refusal.ts'

/** As many tokens as one question may be about. Source: wire protocol, `POST /edge/validate`. */
export const MOST_PER_QUESTION = 100

/** What the upstream answers of one token: what it is good for, or undefined where it is not good. */
export type TokenAnswer = ValidatedToken | undefined

/** What asking needs. */
export interface TokenQuestionsDeps {
  readonly upstream: Pick<EdgeUpstream, 'validate'>
  readonly monotonic: MonotonicClock
  /** Wrong tokens per minute and network, before the network has few places. */
  readonly guessLimitPerMinute: number
}

/** Tokens of SDKs that wait: beyond, the network that has the most gives one up. */
const MOST_WAITING = 1000
/** Tokens of one network that wait. */
const MOST_OF_NETWORK = 250
/** The same of a network that has shown too many wrong ones; a node must be able to ask one question. */
const MOST_OF_GUESSERS = { sdk: 10, node: MOST_PER_QUESTION }
const MINUTE_MS = 60_000
/** Questions that may follow one another at once; beyond, one each so many milliseconds: 300 a minute. */
const MOST_AT_ONCE = 10
const PACE_MS = 200
/** Too many wrong ones were asked for: whoever waits goes on waiting, for one question a second. */
const TOO_MANY = 429
/** After any other failed question tokens of SDKs are undecided for so long. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10_000

interface Waiting {
  readonly answer: Promise<TokenAnswer>
  readonly resolve: (answer: TokenAnswer) => void
  readonly reject: (error: TokenUndecided) => void
}

/**
 * Asks the upstream which tokens are good: one request at a time, in a bounded number however many tokens somebody invents.
 * Tokens that come while one is under way go together into the next; each is asked for once, whoever shows it. Networks
 * take turns in a question, so that one that invents tokens does not keep those of others waiting.
 */
export class TokenQuestions {
  readonly #deps: TokenQuestionsDeps
  readonly #waiting = new FairQueue<Waiting>({ max: MOST_WAITING })
  readonly #guesses: RateLimit
  /** What is being asked for just now. */
  #asked: ReadonlyMap<string, Waiting> = new Map()
  #isAsking = false
  /** Hashes of tokens that were revoked since the question that is under way was sent. */
  readonly #revoked = new Set<string>()
  #line: Promise<unknown> = Promise.resolve()
  #spare = MOST_AT_ONCE
  #spareAtMs: number
  #failures = 0
  #failedAtMs = Number.NEGATIVE_INFINITY
  #failure: TokenUndecided | undefined
  readonly #sleeping = new Map<NodeJS.Timeout, () => void>()
  #isClosed = false

  constructor(deps: TokenQuestionsDeps) {
    this.#deps = deps
    this.#spareAtMs = deps.monotonic()
    this.#guesses = new RateLimit({ most: deps.guessLimitPerMinute, windowMs: MINUTE_MS, monotonic: deps.monotonic })
  }

  /** How many tokens of SDKs wait for an answer. */
  get waiting(): number {
    return this.#waiting.size + this.#asked.size
  }

  /** Asks for a token that an SDK shows. Rejects with TokenUndecided. */
  async ask(text: string, { network, kind }: Asker): Promise<TokenAnswer> {
    const same = this.#waiting.get(text) ?? this.#asked.get(text)
    if (same !== undefined) return same.answer
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    const isPaused = this.#failure !== undefined && this.#failure.status !== TOO_MANY
    if (isPaused && this.#deps.monotonic() - this.#failedAtMs < pauseMs) throw this.#failure
    if (this.#isClosed) throw new TokenUndecided('busy')
    const group = `${kind} ${network}`
    const places = this.#guesses.isExhausted(network) ? MOST_OF_GUESSERS[kind] : MOST_OF_NETWORK
    if (this.#waiting.sizeOf(group) >= places) throw new TokenUndecided('crowded', TOO_MANY)
    const { promise, resolve, reject } = Promise.withResolvers<TokenAnswer>()
    const evicted = this.#waiting.add(group, text, { answer: promise, resolve, reject })
    evicted?.reject(new TokenUndecided('busy'))
    if (!this.#isAsking) void this.#askWaiting()
    return promise
  }

  /** Counts a wrong token of a network. Returns true if there were too many. */
  guessed(network: Network): boolean {
    return this.#guesses.take(network).waitMs > 0
  }

  /** Asks for up to `MOST_PER_QUESTION` tokens, in turn with all others. Rejects as `EdgeUpstream.validate` does. */
  askAll(texts: readonly string[]): Promise<ReadonlyMap<string, ValidatedToken>> {
    return this.#inTurn(() => texts)
  }

  /** Ignores what the question that is under way is answered about a token, named by its SHA-256. */
  revoke(digest: string): void {
    this.#revoked.add(digest)
  }

  /** Those who wait hear that nobody can say. */
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

  async #askWaiting(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.size > 0) {
      try {
        // which ones is decided when their turn comes: by then more have gathered
        const answers = await this.#inTurn(() => this.#take())
        for (const [text, { resolve }] of this.#asked) resolve(answers.get(text))
      } catch (cause) {
        const failure = new TokenUndecided('upstream', statusOf(cause), { cause })
        for (const { reject } of this.#asked.values()) reject(failure)
        // a good one among invented ones is answered, which must not be locked out by those before it
        if (failure.status !== TOO_MANY) this.#rejectWaiting(failure)
      }
      this.#asked = new Map()
    }
    this.#isAsking = false
  }

  #take(): string[] {
    this.#asked = this.#waiting.take(MOST_PER_QUESTION)
    return [...this.#asked.keys()]
  }

  #inTurn(texts: () => readonly string[]): Promise<ReadonlyMap<string, ValidatedToken>> {
    const turn = this.#line.then(async () => {
      await this.#pace()
      if (this.#isClosed) throw new Error('Nothing more is asked')
      return this.#question(texts())
    })
    this.#line = turn.catch(() => {})
    return turn
  }

  async #question(texts: readonly string[]): Promise<ReadonlyMap<string, ValidatedToken>> {
    if (texts.length === 0) return new Map()
    this.#revoked.clear()
    try {
      const named = await this.#deps.upstream.validate(texts)
      this.#failures = 0
      this.#failure = undefined
      const good =
        this.#revoked.size === 0 ? named : named.filter(({ token }) => !this.#revoked.has(hash('sha256', token)))
      return new Map(good.map((token) => [token.token, token]))
    } catch (cause) {
      // without that endpoint it has answered all the same: those that it was asked for it does not know
      if (statusOf(cause) !== 404) {
        this.#failures += 1
        this.#failedAtMs = this.#deps.monotonic()
        this.#failure = new TokenUndecided('upstream', statusOf(cause), { cause })
      }
      throw cause
    }
  }

  async #pace(): Promise<void> {
    const now = this.#deps.monotonic()
    this.#spare = Math.min(MOST_AT_ONCE, this.#spare + Math.max(0, now - this.#spareAtMs) / PACE_MS)
    this.#spareAtMs = now
    this.#spare -= 1
    const slowMs = this.#failure?.status === TOO_MANY ? this.#failedAtMs + FIRST_PAUSE_MS - now : 0
    const waitMs = Math.max(slowMs, -this.#spare * PACE_MS)
    if (waitMs > 0) await this.#sleep(waitMs)
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = after(ms, () => {
        this.#sleeping.delete(timer)
        resolve()
      })
      this.#sleeping.set(timer, resolve)
    })
  }
}

/** What the upstream answered; undefined where it did not. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof UpstreamError ? error.status : undefined
}
