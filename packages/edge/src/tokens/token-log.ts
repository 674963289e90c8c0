import type { Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import { describeError } from '@burgee/serving/upstream/error-reason'
import { shortenToken } from './token-syntax.ts'

/** Logs problems with token validation. Each problem is logged when it begins and when it ends. */
export class TokenLog {
  readonly #logger: Logger
  readonly #loggedTokens = new Set<string>()
  readonly #outage: OutageLog
  readonly #missingEndpoint: OutageLog

  constructor(logger: Logger) {
    this.#logger = logger
    this.#outage = new OutageLog({
      begins: (error) => logger.error(`Cannot validate tokens with the upstream: ${describeError(error)}`),
      ends: () => logger.warn('Token validation by the upstream works again'),
    })
    this.#missingEndpoint = new OutageLog({
      begins: () =>
        logger.warn(
          'The upstream has no /edge/validate: only tokens from the start options and pretrusted tokens are accepted, unvalidated',
        ),
    })
  }

  logFailure(error: unknown): void {
    this.#outage.fail(error)
  }

  logSuccess(): void {
    this.#outage.succeed()
    this.#missingEndpoint.succeed()
  }

  /** Records that the upstream has no validation endpoint (404). */
  logMissingEndpoint(error: unknown): void {
    // the upstream has answered, so the outage is over, but validation does not work yet
    this.#outage.reset()
    this.#missingEndpoint.fail(error)
  }

  /** Logs a problem with a start-up token, once per token. */
  logStartToken(text: string, what: string): void {
    if (!this.#loggedTokens.has(text)) this.#logger.warn(`The start-up token ${shortenToken(text)} ${what}`)
    this.#loggedTokens.add(text)
  }
}
