import type { Logger } from '@burgee/kit/log/logger'
import type { FeatureDocument } from './feature-document.ts'
import { type Origin, outranks } from './origin.ts'
import type { NotTaken } from './pick.ts'
import { takeDocument } from './take-document.ts'

/** What an intake needs. */
export interface IntakeDeps {
  readonly logger: Logger
  /** Flags of other projects are not taken; undefined takes all. */
  readonly projectName?: string | undefined
  /** Whether what is not the upstream's is all there is, and used without a flag as well. */
  readonly takesEmpty?: boolean
}

const MOST_NAMED = 10

/**
 * The door for configurations: decides whether one is used at all, and which flags of it. Good data is kept until better
 * data is there, flag by flag (docs/adr/0020). Flags that are not taken are logged when that begins, changes and ends.
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
   * The part of a configuration that is taken, in steps of well below a millisecond; undefined for one that is not used. A
   * bootstrap or backup never replaces what the upstream sent, a backup never replaces a bootstrap, and neither is used
   * when it holds no flag, unless `takesEmpty` says so.
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
