import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { TokenChanges } from '@burgee/protocol/token-changes'
import type { KeptToken } from '../storage/edge-storage.ts'
import type { EdgeUpstream, ValidatedToken } from '../upstream/edge-upstream.ts'
import type { Asker, EdgeToken, EdgeTokens, TokenListener } from './edge-token.ts'
import { covers } from './fetch-scopes.ts'
import { FetchingSet } from './fetching-set.ts'
import { edgeToken, KnownTokens } from './known-tokens.ts'
import { StartTokens } from './start-tokens.ts'
import { ANY_ENVIRONMENT, answersByForm, isSameToken, tokenOf, widthOf } from './token-answers.ts'
import { readPretrusted, readTokenForm, shortened } from './token-form.ts'
import { TokenLog } from './token-log.ts'
import { statusOf, type TokenAnswer, TokenQuestions } from './token-questions.ts'
import { TokenRefused, TokenUndecided } from './token-refusal.ts'
import { TokenRounds } from './token-rounds.ts'
import { TokenVerdicts } from './token-verdicts.ts'

/** What a book of tokens needs. */
export interface TokenBookDeps {
  readonly upstream: Pick<EdgeUpstream, 'validate'>
  /** Backend tokens that flags are fetched with. */
  readonly startTokens: readonly string[]
  /** Front ends' tokens that are never asked for, in the form of `readPretrusted`. */
  readonly pretrustedTokens: readonly string[]
  /** Whether flags are fetched with tokens that SDKs show, too; else tokens of the start have to cover them. */
  readonly isDynamic: boolean
  readonly revalidationIntervalMs: number
  readonly monotonic: MonotonicClock
  readonly random: () => number
  readonly logger: Logger
  /** Wrong tokens per minute and network; 100 by default. */
  readonly guessLimitPerMinute?: number
  /** How many tokens may be known; 100,000 by default. */
  readonly most?: number
}

const MOST_TOKENS = 100_000
/** As at the server. */
const DEFAULT_GUESS_LIMIT = 100

/**
 * Which tokens are good: those of the start, which are asked for until they are known; those that SDKs show, each asked for
 * once and then again with all others at each interval; those that are trusted. An upstream that fails or answers nonsense
 * changes nothing: only one that no longer names a token removes it. Throws for a token that can be none.
 */
export class TokenBook implements EdgeTokens {
  /** Which tokens flags are fetched with. */
  readonly fetching: FetchingSet
  readonly #deps: TokenBookDeps
  readonly #tokens: KnownTokens
  readonly #start: StartTokens
  readonly #verdicts: TokenVerdicts
  readonly #questions: TokenQuestions
  readonly #starting: TokenRounds
  readonly #revalidation: TokenRounds
  /** Tokens that the upstream says to have changed. */
  readonly #changes: TokenRounds
  readonly #changed = new Set<string>()
  /** Refused to a fetch, while there is nobody to ask. */
  readonly #withdrawn = new Set<string>()
  /** About which the upstream is being asked, since it refused a fetch. */
  readonly #doubted = new Set<string>()
  readonly #log: TokenLog
  #isClosed = false

  constructor(deps: TokenBookDeps) {
    this.#deps = deps
    this.#log = new TokenLog(deps.logger)
    const { random, isDynamic } = deps
    this.#tokens = new KnownTokens(deps.most ?? MOST_TOKENS)
    this.#start = new StartTokens(deps.startTokens)
    this.#verdicts = new TokenVerdicts(deps.monotonic)
    this.#questions = new TokenQuestions({
      ...deps,
      guessLimitPerMinute: deps.guessLimitPerMinute ?? DEFAULT_GUESS_LIMIT,
    })
    this.fetching = new FetchingSet({ tokens: this.#tokens, isDynamic, isSettled: () => this.#start.isSettled })
    const shared = { random, onFailure: (error: unknown) => this.#log.failed(error) }
    this.#starting = new TokenRounds({
      ...{ ...shared, intervalMs: undefined, ask: (texts) => this.#askAgain(texts) },
      texts: () => this.#start.unknown(),
      isOver: () => this.#start.unknown().length === 0,
    })
    this.#revalidation = new TokenRounds({
      ...{ ...shared, intervalMs: deps.revalidationIntervalMs, ask: (texts) => this.#askAgain(texts) },
      texts: () => this.#asked().map(({ text }) => text),
      isOver: () => true,
    })
    this.#changes = new TokenRounds({
      ...{ ...shared, intervalMs: undefined, ask: (texts) => this.#askAgain(texts) },
      texts: () => this.#takeChanged(),
      isOver: () => true,
    })
    for (const text of deps.pretrustedTokens) this.#trust(text)
  }

  /** Begins to ask. */
  start(): void {
    if (this.#start.unknown().length > 0) this.#starting.wake()
    this.#revalidation.wait()
  }

  known(text: string): EdgeToken | undefined {
    return this.#tokens.use(text)
  }

  async admit(text: string, asker: Asker): Promise<EdgeToken> {
    const known = this.known(text)
    if (known !== undefined) return known
    if (text === '') throw new TokenRefused('missing')
    if (readTokenForm(text) === undefined) throw new TokenRefused('form')
    const held = this.#heldOrRefused(text)
    if (held !== undefined) return this.#admitted(held)
    const answer = await this.#answerOf(text, asker)
    // it may have been revoked since
    this.#heldOrRefused(text)
    const read = this.#judge(text, answer, asker)
    // others may have shown it, and heard of it, at the same time
    return this.#tokens.get(text) ?? this.#admitted(read)
  }

  findById(id: string): EdgeToken | undefined {
    return this.#tokens.findById(id)
  }

  all(): readonly EdgeToken[] {
    return this.#tokens.all()
  }

  subscribe(listener: TokenListener): () => void {
    return this.#tokens.subscribe(listener)
  }

  /** How many tokens of SDKs wait for an answer of the upstream. */
  get waiting(): number {
    return this.#questions.waiting
  }

  /** How many tokens are remembered that may not be used. */
  get refused(): number {
    return this.#verdicts.size
  }

  /**
   * Takes tokens of an earlier start as known until the upstream says otherwise, which is asked at once. What it has said
   * already counts more.
   */
  remember(kept: readonly KeptToken[]): void {
    const rank = ({ token, type }: KeptToken) => (this.#start.has(token) ? 0 : type === 'backend' ? 1 : 2)
    for (const { token: text, type, environment, projects } of [...kept].sort((a, b) => rank(a) - rank(b))) {
      const isDecided = this.#tokens.get(text) !== undefined || this.#verdicts.of(text) !== undefined
      if (isDecided || readTokenForm(text) === undefined || environment === ANY_ENVIRONMENT) continue
      const token = edgeToken({ text, kind: type, environment, projects, origin: this.#originOf(text) })
      if (this.#isCovered(token)) this.#add(token)
    }
    this.#revalidation.wake()
  }

  /**
   * The upstream gives no flags with a token any more (401, 403). It is asked at once whether the token is still good: what
   * stands before it may have answered. Only a token that is not is removed, and no longer fetched with.
   */
  async rejected(text: string): Promise<void> {
    if (this.#doubted.has(text) || this.#tokens.get(text) === undefined) return
    this.#doubted.add(text)
    try {
      this.#take([text], await this.#questions.askAll([text]))
    } catch (error) {
      if (this.#isClosed) return
      if (statusOf(error) !== 404) return this.#log.failed(error)
      if (this.#start.has(text)) this.#withdrawn.add(text)
      this.#take([text], new Map())
    } finally {
      this.#doubted.delete(text)
    }
  }

  /**
   * Applies what the upstream tells of tokens: a revoked one is removed at once and refused for a minute, whatever another node
   * of the upstream answers by then; of a changed one the upstream is asked; `all` has every token validated again.
   */
  applyChanges({ revoked, changed, all }: TokenChanges): void {
    for (const digest of revoked) this.#revoke(digest)
    for (const digest of changed) {
      const token = this.#tokens.findByHash(digest)
      if (token !== undefined && isDecidedUpstream(token)) this.#changed.add(token.text)
    }
    if (this.#changed.size > 0) this.#changes.wake()
    if (all) this.#revalidation.wake()
  }

  close(): void {
    this.#isClosed = true
    this.#changes.stop()
    this.#starting.stop()
    this.#revalidation.stop()
    this.#questions.close()
  }

  #revoke(digest: string): void {
    this.#verdicts.refuseHash(digest, 'unknown')
    this.#questions.revoke(digest)
    const token = this.#tokens.findByHash(digest)
    if (token === undefined || !isDecidedUpstream(token)) return
    this.#changingFetchers(() => {
      this.#start.refuse(token.text)
      this.#tokens.remove(token.text, 'refused')
    })
    if (token.origin !== 'start') return
    this.#log.ofStart(token.text, 'was revoked by the upstream, and is asked for again')
    this.#starting.retry()
  }

  #takeChanged(): string[] {
    const texts = [...this.#changed]
    this.#changed.clear()
    return texts
  }

  /** A good token that was not covered lately; undefined where nothing is remembered. Throws TokenRefused. */
  #heldOrRefused(text: string): EdgeToken | undefined {
    const verdict = this.#verdicts.of(text)
    if (verdict !== undefined && verdict.token === undefined) throw new TokenRefused(verdict.reason)
    return verdict?.token
  }

  async #answerOf(text: string, asker: Asker): Promise<TokenAnswer> {
    try {
      return await this.#questions.ask(text, asker)
    } catch (error) {
      if (!(error instanceof TokenUndecided) || error.status !== 404) throw error
      this.#log.unasked()
      return undefined
    }
  }

  /** What an answer says of a token that an SDK shows. Throws TokenRefused, or TokenUndecided after too many wrong ones. */
  #judge(text: string, answer: TokenAnswer, { network }: Asker): EdgeToken {
    try {
      return this.#read(text, answer)
    } catch (error) {
      if (this.#questions.guessed(network)) throw new TokenUndecided('guessed', 429, { cause: error })
      throw error
    }
  }

  async #askAgain(texts: readonly string[]): Promise<void> {
    try {
      this.#take(texts, await this.#questions.askAll(texts))
      this.#log.answered()
    } catch (error) {
      if (statusOf(error) !== 404) throw error
      this.#log.unasked()
      const unknown = texts.filter((text) => this.#tokens.get(text) === undefined)
      this.#take(unknown, answersByForm(unknown.filter((text) => !this.#withdrawn.has(text))))
    }
  }

  #take(texts: readonly string[], answers: ReadonlyMap<string, ValidatedToken>): void {
    const missing = this.#start.unknown().length
    const byWidth = [...texts].sort((a, b) => widthOf(answers.get(b)) - widthOf(answers.get(a)))
    this.#changingFetchers(() => {
      for (const text of byWidth) this.#takeOne(text, answers.get(text))
    })
    if (this.#start.unknown().length > missing) this.#starting.wake()
  }

  #takeOne(text: string, answer: TokenAnswer): void {
    const before = this.#tokens.get(text)
    // it is not known to be bad
    if (before !== undefined && answer?.type === 'other') return
    try {
      const token = this.#read(text, answer)
      if (before === undefined || !isSameToken(before, token)) this.#admitted(token)
    } catch (error) {
      if (!(error instanceof TokenRefused || error instanceof TokenUndecided)) throw error
      this.#tokens.remove(text, 'refused')
    }
  }

  /** Removes the tokens that are not covered any more once a change was made. */
  #changingFetchers(change: () => void): void {
    const fetching = this.fetching.current()
    change()
    if (this.fetching.current() !== fetching) this.#removeUncovered()
    this.fetching.noteSettled()
  }

  /** What an answer says of a token. Throws TokenRefused, and remembers it. */
  #read(text: string, answer: TokenAnswer): EdgeToken {
    try {
      return tokenOf(text, answer, this.#originOf(text))
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
      this.#verdicts.refuse(text, error.reason)
      this.#start.refuse(text)
      if (this.#start.has(text)) this.#log.ofStart(text, `is not used: ${error.message}`)
      throw error
    }
  }

  /** Adds a token that is good. Throws TokenRefused or TokenUndecided where it is not covered (yet). */
  #admitted(token: EdgeToken): EdgeToken {
    if (this.#isCovered(token)) return this.#add(token)
    this.#verdicts.hold(token)
    if (this.#start.isPending(token.environment)) throw new TokenUndecided('starting')
    throw new TokenRefused('not-covered')
  }

  #add(token: EdgeToken): EdgeToken {
    if (token.origin === 'start' && token.kind === 'frontend')
      this.#log.ofStart(token.text, 'is for front ends: nothing is fetched with it')
    this.#verdicts.forget(token.text)
    this.#start.know(token.text)
    this.#withdrawn.delete(token.text)
    this.#tokens.add(token)
    this.fetching.noteSettled()
    return token
  }

  #isCovered(token: EdgeToken): boolean {
    if (token.origin !== 'upstream') return true
    const fetching = this.fetching.current()
    if (token.kind === 'frontend') return fetching.some(({ environment }) => environment === token.environment)
    return this.#deps.isDynamic || covers(fetching, token)
  }

  #removeUncovered(): void {
    for (const token of this.#asked()) if (!this.#isCovered(token)) this.#tokens.remove(token.text, 'dropped')
  }

  #originOf(text: string): 'start' | 'upstream' {
    return this.#start.has(text) ? 'start' : 'upstream'
  }

  /** Known tokens of which the upstream decides. */
  #asked(): EdgeToken[] {
    return this.all().filter(isDecidedUpstream)
  }

  #trust(text: string): void {
    const trusted = readPretrusted(text)
    if (trusted === undefined)
      throw new Error(
        `PRETRUSTED_TOKENS: ${shortened(text)} is neither a token of one environment nor token@environment`,
      )
    // a token of the start is good for more
    if (!this.#start.has(trusted.text))
      this.#tokens.add(edgeToken({ ...trusted, kind: 'frontend', origin: 'pretrusted' }))
  }
}

function isDecidedUpstream({ origin }: EdgeToken): boolean {
  return origin === 'start' || origin === 'upstream'
}
