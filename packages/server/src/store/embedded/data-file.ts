import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { DatabaseGone } from '../errors.ts'

/** The file of an embedded database that is open, and its log beside it. */
export class DataFile {
  readonly #paths: readonly [file: string, log: string]
  readonly #opened: readonly string[]

  /** Takes what stands at the path for what was opened: make it right after opening. */
  constructor(path: string) {
    this.#paths = [path, logOf(path)]
    this.#opened = this.#identities()
  }

  /**
   * Throws DatabaseGone where file or log are not any more those that were opened: removed, replaced, or their
   * directory was. An open file outlives its name, so SQLite itself goes on writing to it, and all of that is lost in
   * the end.
   */
  requirePresent(): void {
    const now = this.#identities()
    if (this.#opened.every((identity, index) => identity === now[index])) return
    throw new DatabaseGone(
      `The database ${this.#paths[0]} was removed or replaced while it is in use. Nothing is written any more, SDKs get ` +
        'what was there. Stop the server, put the data directory back (from a backup, if need be) and start again.',
    )
  }

  #identities(): string[] {
    return this.#paths.map((path) => identityOf(statOf(path)))
  }
}

/** Where SQLite keeps the log of a database file that is there: beside the file that a link leads to. */
export function logOf(file: string): string {
  return `${realpathSync(file)}-wal`
}

/** Tells a file from every other one that stands or stood at its path; '' where there is none. */
export function identityOf(stat: BigIntStats | undefined): string {
  return stat === undefined ? '' : `${stat.ino}:${stat.birthtimeNs}`
}

/** What the file system says of a file; undefined where there is none that it lets us see. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}
