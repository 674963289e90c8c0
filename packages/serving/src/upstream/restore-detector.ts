import { hasEpoch } from '../document/revision-tag.ts'

/**
 * Number of consecutive responses with an older configuration after which the upstream is assumed to have been restored
 * from a backup. Applies only to an upstream whose ETags contain no epoch.
 */
const OLDER_COUNT_FOR_RESTORE = 5

/**
 * Decides whether an older configuration of the upstream is used. An older configuration has two possible causes: one
 * of several servers lags behind, or the upstream was restored. If the ETags of the upstream contain an epoch, a
 * changed epoch reveals a restore; without an epoch, several older configurations in a row do.
 */
export class RestoreDetector {
  #olderInARow = 0

  /** Records a configuration that is not older than the one in use. */
  reset(): void {
    this.#olderInARow = 0
  }

  /** Records an older configuration. Returns true if the upstream was probably restored, so that it is used. */
  recordOlder(etag: string | undefined): boolean {
    this.#olderInARow += 1
    return this.#olderInARow >= OLDER_COUNT_FOR_RESTORE && !hasEpoch(etag)
  }
}
