import { isObject } from '@burgee/kit/input/is-object'
import type { Logger } from '@burgee/kit/log/logger'
import { Throttle } from '@burgee/kit/throttle'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { Context } from '@burgee/protocol/context'

/** Function that adds to or changes the context of a request before flags are evaluated. */
export type Enricher = (context: Context) => Context | Promise<Context>

/** Time limit of an enricher. */
const ENRICHER_LIMIT_MS = 5000

/** Enrichers, called in order; each receives the result of the previous one. */
export class EnricherChain {
  readonly #enrichers: readonly Enricher[]
  readonly #logger: Logger
  readonly #throttle = new Throttle()

  constructor(enrichers: readonly Enricher[], logger: Logger) {
    this.#enrichers = enrichers
    this.#logger = logger
  }

  get isEmpty(): boolean {
    return this.#enrichers.length === 0
  }

  /**
   * Runs the enrichers. If an enricher fails, only this request fails, never the process. Each failure names the
   * enricher, and is logged at most once a minute.
   */
  async enrich(own: Context): Promise<Context> {
    let context = own
    for (const [index, enricher] of this.#enrichers.entries()) {
      try {
        const answer: unknown = await withTimeout(ENRICHER_LIMIT_MS, enricher(context))
        if (!isObject(answer)) throw new Error('it returned no context')
        context = answer as Context
      } catch (error) {
        const more = this.#throttle.pass(String(index))
        if (more !== undefined) this.#logger.error(`Context enricher "${enricher.name || index}" failed${more}`, error)
        throw new EnricherError(error)
      }
    }
    return context
  }
}

/** Thrown if a context enricher threw, timed out or returned no context. */
export class EnricherError extends Error {
  constructor(cause: unknown) {
    super('A context enricher failed', { cause })
    this.name = 'EnricherFailed'
  }
}
