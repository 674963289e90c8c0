import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of Windows, which has a temporary folder for each user. */
const NO_UID = -1
/** Who runs this process; −1 where users have no numbers. */
export const OWN_UID = process.getuid?.() ?? NO_UID

const OWNER_ONLY = 0o700

/** A folder among the temporary files of the machine that is this user's alone: others may write to where it stands. */
export class OwnTemporaryFolder {
  readonly path: string
  readonly #option: string

  /** @param option what names another folder, for the error */
  constructor(name: string, option: string) {
    this.path = join(tmpdir(), `${name}-${OWN_UID}`)
    this.#option = option
  }

  /** Whether it is there. Throws where it is somebody else's, or leads elsewhere. */
  isThere(): boolean {
    if (lstatSync(this.path, { throwIfNoEntry: false }) === undefined) return false
    this.#requireOwn()
    return true
  }

  /** Makes it where it is not there. Throws where it is somebody else's, or leads elsewhere. */
  make(): void {
    mkdirSync(this.path, { recursive: true, mode: OWNER_ONLY })
    this.#requireOwn()
  }

  #requireOwn(): void {
    const found = lstatSync(this.path)
    if (!found.isDirectory() || (OWN_UID !== NO_UID && found.uid !== OWN_UID)) {
      throw new Error(`${this.path} is not a folder of this user: name another one by ${this.#option}`)
    }
    if ((found.mode & 0o077) !== 0) chmodSync(this.path, OWNER_ONLY)
  }
}
