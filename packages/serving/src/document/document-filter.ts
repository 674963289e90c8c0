import type { Logger } from '@burgee/kit/log/logger'
import { acceptDocument } from './accepted-document.ts'
import type { FeatureDocument } from './feature-document.ts'
import type { RejectedItem } from './item-selection.ts'
import { type Origin, outranks } from './origin.ts'

/** Dependencies of a `DocumentFilter`. */
export interface DocumentFilterDeps {
  readonly logger: Logger
  /**
   * Project whose flags are accepted; if undefined, flags of all projects are accepted. If undefined, flags of all
   * projects are accepted.
   */
  readonly projectName?: string | undefined
  /** True to accept a bootstrap or backup that contains no flags, because there is no upstream to wait for. */
  readonly takesEmpty?: boolean
}

const MAX_LISTED_ITEMS = 10

/**
 * Entry point through which every configuration enters. Decides whether a configuration is used, and which of its
 * flags. If the new version of a flag is unusable, the last good version stays in use (docs/adr/0020). Logs when the
 * first flag is rejected, when the list of rejected flags changes, and when no flag is rejected any more.
 */
export class DocumentFilter {
  readonly #deps: DocumentFilterDeps
  readonly #readable = new WeakSet<object>()
  #before: FeatureDocument | undefined
  #origin: Origin | undefined
  #lastReport: { readonly origin: Origin; readonly text: string } | undefined

  constructor(deps: DocumentFilterDeps) {
    this.#deps = deps
  }

  /**
   * Returns the accepted part of a configuration, or undefined if the configuration as a whole is rejected. Each step
   * of the generator takes well below a millisecond. A bootstrap or backup never replaces upstream data, and a backup
   * never replaces a bootstrap. A bootstrap or backup without flags is not used, unless `takesEmpty` is set.
   */
  *accept(next: FeatureDocument, origin: Origin): Generator<void, FeatureDocument | undefined> {
    if (this.#origin !== undefined && outranks(this.#origin, origin)) return undefined
    const rules = { before: this.#before, projectName: this.#deps.projectName, readable: this.#readable }
    const { document, rejected } = yield* acceptDocument(next, rules)
    this.#report(rejected, origin)
    if (origin !== 'upstream' && document.features.length === 0 && !this.#deps.takesEmpty) return undefined
    this.#before = document
    this.#origin = origin
    return document
  }

  #report(notTaken: readonly RejectedItem[], origin: Origin): void {
    const lastReport = this.#lastReport
    if (notTaken.length === 0) {
      if (lastReport?.origin === origin) this.#deps.logger.warn(`All flags of the ${origin} are accepted again`)
      this.#lastReport = undefined
      return
    }
    const text = formatRejected(notTaken, origin)
    if (text !== lastReport?.text) this.#deps.logger.warn(text)
    this.#lastReport = { origin, text }
  }
}

function formatRejected(notTaken: readonly RejectedItem[], origin: Origin): string {
  const named = notTaken
    .slice(0, MAX_LISTED_ITEMS)
    .map(({ what, why, keepsPrevious }) => `${what} (${why}; ${keepsPrevious ? 'unchanged' : 'off'})`)
  const more = notTaken.length - named.length
  return `Not accepted from the ${origin}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
