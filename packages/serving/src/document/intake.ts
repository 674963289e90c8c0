import type { Logger } from '@burgee/kit/log/logger'
import type { FeatureDocument } from './feature-document.ts'
import { type Origin, outranks } from './origin.ts'
import type { NotTaken } from './pick.ts'
import { takeDocument } from './take-document.ts'

/** Dependencies of an `Intake`. */
export interface IntakeDeps {
  readonly logger: Logger
  /** Accepts only flags of this project; undefined accepts all. */
  readonly projectName?: string | undefined
  /** True to accept a bootstrap or backup without flags, because there is no upstream. */
  readonly takesEmpty?: boolean
}

const MOST_NAMED = 10

/**
 * Entry point for configurations. Decides whether to use a configuration, and which of its flags. Keeps a good flag
 * until a better version of it arrives (docs/adr/0020). Logs rejected flags when the first one appears, when they
 * change, and when none is left.
 */
export class Intake {
  readonly #deps: IntakeDeps
  readonly #readable = new WeakSet<object>()
  #before: FeatureDocument | undefined
  #origin: Origin | undefined
  #told: { readonly origin: Origin; readonly text: string } | undefined

  constructor(deps: IntakeDeps) {
    this.#deps = deps
  }

  /**
   * Returns the accepted part of a configuration, or undefined if the configuration is not used. Works in steps well
   * below a millisecond. A bootstrap or backup never replaces upstream data, and a backup never replaces a bootstrap.
   * Neither is used if it has no flags, unless `takesEmpty` is set.
   */
  *take(next: FeatureDocument, origin: Origin): Generator<void, FeatureDocument | undefined> {
    if (this.#origin !== undefined && outranks(this.#origin, origin)) return undefined
    const rules = { before: this.#before, projectName: this.#deps.projectName, readable: this.#readable }
    const { document, notTaken } = yield* takeDocument(next, rules)
    this.#tell(notTaken, origin)
    if (origin !== 'upstream' && document.features.length === 0 && !this.#deps.takesEmpty) return undefined
    this.#before = document
    this.#origin = origin
    return document
  }

  #tell(notTaken: readonly NotTaken[], origin: Origin): void {
    const told = this.#told
    if (notTaken.length === 0) {
      if (told?.origin === origin) this.#deps.logger.warn(`All flags of the ${origin} are taken again`)
      this.#told = undefined
      return
    }
    const text = textOf(notTaken, origin)
    if (text !== told?.text) this.#deps.logger.warn(text)
    this.#told = { origin, text }
  }
}

function textOf(notTaken: readonly NotTaken[], origin: Origin): string {
  const named = notTaken
    .slice(0, MOST_NAMED)
    .map(({ what, why, isKept }) => `${what} (${why}; ${isKept ? 'stays as it was' : 'off'})`)
  const more = notTaken.length - named.length
  return `Not taken from the ${origin}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
