import { after } from '@burgee/kit/timer'
import { MOST_PER_QUESTION } from './token-questions.ts'

/** What rounds of questions are about. */
export interface TokenRoundsDeps {
  /** The tokens of a round, asked for when it begins. */
  readonly texts: () => readonly string[]
  /** Asks for some of them and takes the answer; rejects where there is none. */
  readonly ask: (texts: readonly string[]) => Promise<void>
  /** How long after a round that is over the next one begins, in milliseconds; undefined: none, until `wake`. */
  readonly intervalMs: number | undefined
  /** Whether a round, at its end, has found out what it was for; one that has not comes again soon. */
  readonly isOver: () => boolean
  readonly onFailure: (error: unknown) => void
  readonly random: () => number
}

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 10_000

/**
 * Asks for tokens again and again, in batches. What fails is tried again after 1 s, and then later and later, up to 10 s,
 * with jitter; a round goes on where it has stopped.
 */
export class TokenRounds {
  readonly #deps: TokenRoundsDeps
  #due: readonly string[] = []
  #tries = 0
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #isWoken = false
  #isStopped = false

  constructor(deps: TokenRoundsDeps) {
    this.#deps = deps
  }

  /** Begins a round of all tokens now; where one is under way, another one after it. */
  wake(): void {
    this.#isWoken = true
    if (this.#isRunning || this.#isStopped) return
    clearTimeout(this.#timer)
    void this.#run()
  }

  /** Begins a round in a second, as after one that failed. */
  retry(): void {
    this.#tries = Math.max(1, this.#tries)
    if (this.#isRunning || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#schedule()
  }

  /** Begins the first round after one interval. */
  wait(): void {
    if (this.#timer === undefined && !this.#isRunning) this.#schedule()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    if (this.#isWoken || this.#due.length === 0) this.#due = [...new Set(this.#deps.texts())]
    this.#isWoken = false
    try {
      await this.#askDue()
      this.#tries = this.#deps.isOver() ? 0 : this.#tries + 1
    } catch (error) {
      this.#tries += 1
      if (!this.#isStopped) this.#deps.onFailure(error)
    }
    this.#isRunning = false
    this.#schedule()
  }

  async #askDue(): Promise<void> {
    const due = this.#due
    for (let at = 0; at < due.length && !this.#isStopped; at += MOST_PER_QUESTION) {
      this.#due = due.slice(at)
      await this.#deps.ask(due.slice(at, at + MOST_PER_QUESTION))
    }
    this.#due = []
  }

  #schedule(): void {
    const delayMs = this.#isWoken && this.#tries === 0 ? 0 : this.#delayMs()
    if (this.#isStopped || delayMs === undefined) return
    this.#timer = after(delayMs, () => void this.#run())
  }

  #delayMs(): number | undefined {
    if (this.#tries === 0) return this.#deps.intervalMs
    const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#tries - 1))
    return delayMs * (0.9 + this.#deps.random() * 0.2)
  }
}
