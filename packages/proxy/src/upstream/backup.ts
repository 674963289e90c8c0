import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { ProxyOptions } from '../options.ts'
import { FileStorage, type StorageProvider } from './backup-file.ts'

/** Where the last good configuration is kept, and under which key. */
export interface Backup {
  /** Undefined where none is kept. */
  readonly storage: StorageProvider | undefined
  readonly key: string
}

/**
 * The storage of the operator's own, or the folder that is named, by the app name; else, unless `backup` is off, a folder
 * of this user among the temporary files of the machine, by all that decides what the upstream sends.
 */
export function backupOf(options: ProxyOptions): Backup {
  const { storageProvider, backupFolder, backup, flagAppName: key } = options
  if (storageProvider !== undefined) return { storage: storageProvider, key }
  if (!backup) return { storage: undefined, key }
  if (backupFolder !== undefined) return { storage: new FileStorage(backupFolder), key }
  return { storage: new OwnFolderStorage(), key: `${key}-${sourceHash(options)}` }
}

const SHOWN = 16
/** Of Windows, which has a temporary folder for each user. */
const NO_UID = -1
const OWN_UID = process.getuid?.() ?? NO_UID

/** Proxies of one name, each before its own upstream or with its own part of it, must not read each other's backup. */
function sourceHash({ flagUrl, flagApiToken, projectName, namePrefix, environment, tags }: ProxyOptions): string {
  // what stands before the dot says what the token is for; the rest is secret
  const scope = flagApiToken.includes('.') ? flagApiToken.split('.', 1)[0] : ''
  const source = JSON.stringify([flagUrl, scope, projectName, namePrefix, environment, tags])
  return createHash('sha256').update(source).digest('hex').slice(0, SHOWN)
}

/** Files in a folder that is this user's alone: others may write to where temporary files are. */
class OwnFolderStorage implements StorageProvider {
  readonly #folder = join(tmpdir(), `burgee-proxy-${OWN_UID}`)
  readonly #files = new FileStorage(this.#folder)

  async get(key: string): Promise<unknown> {
    const found = lstatSync(this.#folder, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    this.#requireOwn()
    return this.#files.get(key)
  }

  async set(key: string, data: FeatureDocument): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#requireOwn()
    await this.#files.set(key, data)
  }

  /** Throws where it is somebody else's, or leads elsewhere. */
  #requireOwn(): void {
    const found = lstatSync(this.#folder)
    if (!found.isDirectory() || (OWN_UID !== NO_UID && found.uid !== OWN_UID)) {
      throw new Error(`${this.#folder} is not a folder of this user: name another one by FLAG_BACKUP_FOLDER`)
    }
    if ((found.mode & 0o077) !== 0) chmodSync(this.#folder, 0o700)
  }
}
