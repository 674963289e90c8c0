import { createHash } from 'node:crypto'
import { OwnTemporaryFolder } from '@burgee/kit/files/own-folder'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { FileStorage, type StorageProvider } from '@burgee/serving/upstream/backup-file'
import type { ProxyOptions } from '../options.ts'

/** Storage of the last good configuration, and its key there. */
export interface Backup {
  /** Undefined if no backup is stored. */
  readonly storage: StorageProvider | undefined
  readonly key: string
}

/**
 * Returns the backup storage for the options: the custom storage or the configured folder, with the app name as key.
 * Without either, and unless `backup` is off, uses a folder of this user in the system's temporary directory. Its key
 * is derived from everything that determines the upstream's content.
 */
export function backupOf(options: ProxyOptions): Backup {
  const { storageProvider, backupFolder, backup, flagAppName: key } = options
  if (storageProvider !== undefined) return { storage: storageProvider, key }
  if (!backup) return { storage: undefined, key }
  if (backupFolder !== undefined) return { storage: new FileStorage(backupFolder), key }
  return { storage: new OwnFolderStorage(), key: `${key}-${sourceHash(options)}` }
}

const SHOWN = 16

/**
 * Returns a hash of the configuration's source. With it, proxies with the same name but different upstreams or scopes
 * do not load each other's backup.
 */
function sourceHash({ flagUrl, flagApiToken, projectName, namePrefix, environment, tags }: ProxyOptions): string {
  // the part before the dot is the token's scope; the rest is secret
  const scope = flagApiToken.includes('.') ? flagApiToken.split('.', 1)[0] : ''
  const source = JSON.stringify([flagUrl, scope, projectName, namePrefix, environment, tags])
  return createHash('sha256').update(source).digest('hex').slice(0, SHOWN)
}

/** Files in a temporary folder that only this user can access. */
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
