import { createHash } from 'node:crypto'
import { OwnTemporaryFolder } from '@burgee/kit/files/own-folder'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { FileStorage, type StorageProvider } from '@burgee/serving/upstream/backup-file'
import type { ProxyOptions } from '../options.ts'

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

/** Proxies of one name, each before its own upstream or with its own part of it, must not read each other's backup. */
function sourceHash({ flagUrl, flagApiToken, projectName, namePrefix, environment, tags }: ProxyOptions): string {
  // what stands before the dot says what the token is for; the rest is secret
  const scope = flagApiToken.includes('.') ? flagApiToken.split('.', 1)[0] : ''
  const source = JSON.stringify([flagUrl, scope, projectName, namePrefix, environment, tags])
  return createHash('sha256').update(source).digest('hex').slice(0, SHOWN)
}

/** Files in a folder that is this user's alone. */
class OwnFolderStorage implements StorageProvider {
  readonly #folder = new OwnTemporaryFolder('burgee-proxy', 'FLAG_BACKUP_FOLDER')
  readonly #files = new FileStorage(this.#folder.path)

  async get(key: string): Promise<unknown> {
    return this.#folder.isThere() ? this.#files.get(key) : undefined
  }

  async set(key: string, data: FeatureDocument): Promise<void> {
    this.#folder.make()
    await this.#files.set(key, data)
  }
}
