import type { Logger } from '@burgee/kit/log/logger'
import { describeError } from '@burgee/serving/upstream/error-reason'
import { shortenToken } from './token-syntax.ts'

/** Log of token validation. Each problem is logged when it begins and when it ends. */
export class TokenLog {
  readonly #logger: Logger
  readonly #told = new Set<string>()
  #isFailing = false
  #isUnasked = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  logFailure(error: unknown): void {
    if (!this.#isFailing)
      this.#logger.error(`The upstream cannot be asked which tokens are good: ${describeError(error)}`)
    this.#isFailing = true
  }

  logSuccess(): void {
    if (this.#isFailing) this.#logger.warn('The upstream answers again which tokens are good')
    this.#isFailing = false
    this.#isUnasked = false
  }

  /** Records that the upstream has no validation endpoint (404). */
  logMissingEndpoint(): void {
    if (!this.#isUnasked)
      this.#logger.warn(
        'The upstream has no /edge/validate: of all tokens only those of the start are taken, as they read, and trusted ones',
      )
    this.#isFailing = false
    this.#isUnasked = true
  }

  /** Logs a problem of a start-up token, once per token. */
  logStartToken(text: string, what: string): void {
    if (!this.#told.has(text)) this.#logger.warn(`The token ${shortenToken(text)} of the start ${what}`)
    this.#told.add(text)
  }
}
