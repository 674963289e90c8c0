import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { DatabaseGone } from '../../errors.ts'

/** Database file of an open embedded database, and its write-ahead log. */
export class DataFile {
  readonly #paths: readonly [file: string, log: string]
  readonly #opened: readonly string[]

  /**
   * Assumes that the file at the path is the one that was opened. Must be created immediately after the database was
   * opened.
   */
  constructor(path: string) {
    this.#paths = [path, getLogPath(path)]
    this.#opened = this.#identities()
  }

  /**
   * Throws DatabaseGone if the file or its log was removed or replaced, whether directly or together with its
   * directory. SQLite does not notice a removal: it would continue to write to the removed file, and those writes would
   * be lost.
   */
  requirePresent(): void {
    const now = this.#identities()
    if (this.#opened.every((identity, index) => identity === now[index])) return
    throw new DatabaseGone(
      `The database ${this.#paths[0]} was removed or replaced while it is in use. Nothing is written any longer, and SDKs get ` +
        'the last state. Stop the server, restore the data directory (from a backup if necessary) and start it again.',
    )
  }

  #identities(): string[] {
    return this.#paths.map((path) => getFileIdentity(findStats(path)))
  }
}

/**
 * Returns the path of the write-ahead log of an existing database file. If the path is a symbolic link, the log is next
 * to the link's target.
 */
export function getLogPath(file: string): string {
  return `${realpathSync(file)}-wal`
}

/**
 * Returns a key that distinguishes a file from all earlier files at the same path; '' if there is no file at the path.
 */
export function getFileIdentity(stat: BigIntStats | undefined): string {
  return stat === undefined ? '' : `${stat.ino}:${stat.birthtimeNs}`
}

/** Returns the stats of a file; undefined if the file does not exist or is not accessible. */
export function findStats(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}
