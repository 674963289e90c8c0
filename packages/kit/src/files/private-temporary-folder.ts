import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands in for the user id on Windows, where each user has a separate temporary folder. */
const NO_UID = -1
/** User id of this process; −1 on platforms without user ids. */
export const PROCESS_UID = process.getuid?.() ?? NO_UID

const OWNER_ONLY = 0o700

/**
 * Folder that only this user can access, inside the system's temporary directory, in which all users can create files.
 */
export class PrivateTemporaryFolder {
  readonly path: string
  readonly #option: string

  /** @param option name of the option that chooses another folder, for the error message */
  constructor(name: string, option: string) {
    this.path = join(tmpdir(), `${name}-${PROCESS_UID}`)
    this.#option = option
  }

  /**
   * Returns true if the folder exists. Throws if the path belongs to another user or is not a directory (for example a
   * symlink).
   */
  exists(): boolean {
    if (lstatSync(this.path, { throwIfNoEntry: false }) === undefined) return false
    this.#requireOwner()
    return true
  }

  /**
   * Creates the folder if missing. Throws if the path belongs to another user or is not a directory (for example a
   * symlink).
   */
  create(): void {
    mkdirSync(this.path, { recursive: true, mode: OWNER_ONLY })
    this.#requireOwner()
  }

  #requireOwner(): void {
    const found = lstatSync(this.path)
    if (!found.isDirectory() || (PROCESS_UID !== NO_UID && found.uid !== PROCESS_UID)) {
      throw new Error(`${this.path} is not a folder of this user: set another one with ${this.#option}`)
    }
    if ((found.mode & 0o077) !== 0) chmodSync(this.path, OWNER_ONLY)
  }
}
