import { createHash } from 'node:crypto'
import { PrivateTemporaryFolder } from '@burgee/kit/files/private-temporary-folder'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { FileStorage, type StorageProvider } from '@burgee/serving/upstream/backup-file'
import type { EmbeddedProxyOptions, ProxyOptions } from '../options.ts'

/** Storage for the last good configuration, and the key under which it is stored. */
export interface Backup {
  /** Undefined if backups are disabled. */
  readonly storage: StorageProvider | undefined
  readonly key: string
}

type BackupOptions = Pick<EmbeddedProxyOptions, 'storageProvider' | 'backupFolder' | 'backup' | 'flagAppName'>

/**
 * Returns the backup storage for the options. A custom storage takes precedence over the configured folder; both use
 * the app name as the key. Without either, backups are stored in a folder of this user in the system's temporary
 * directory, and the key contains a hash of the source. If there is no such hash, the temporary directory is not used.
 * If `backup` is off, only a custom storage is used.
 */
export function createBackup(options: BackupOptions, sourceHash: string | undefined): Backup {
  const { storageProvider, backupFolder, backup, flagAppName: key } = options
  if (storageProvider !== undefined) return { storage: storageProvider, key }
  if (!backup) return { storage: undefined, key }
  if (backupFolder !== undefined) return { storage: new FileStorage(backupFolder), key }
  if (sourceHash === undefined) return { storage: undefined, key }
  return { storage: new PrivateFolderStorage(), key: `${key}-${sourceHash}` }
}

const HASH_LENGTH = 16

/**
 * Returns a hash that identifies the source of the configuration. Proxies that have the same name but different
 * upstreams or scopes have different hashes, so that none loads the backup of another.
 */
export function hashSource({
  flagUrl,
  flagApiToken,
  projectName,
  namePrefix,
  environment,
  tags,
}: ProxyOptions): string {
  // the part before the dot is the scope of the token; the rest is secret
  const scope = flagApiToken.includes('.') ? flagApiToken.split('.', 1)[0] : ''
  const source = JSON.stringify([flagUrl, scope, projectName, namePrefix, environment, tags])
  return createHash('sha256').update(source).digest('hex').slice(0, HASH_LENGTH)
}

/** Files in a temporary folder that only this user can access. */
class PrivateFolderStorage implements StorageProvider {
  readonly #folder = new PrivateTemporaryFolder('burgee-proxy', 'FLAG_BACKUP_FOLDER')
  readonly #files = new FileStorage(this.#folder.path)

  async get(key: string): Promise<unknown> {
    return this.#folder.exists() ? this.#files.get(key) : undefined
  }

  async set(key: string, data: FeatureDocument): Promise<void> {
    this.#folder.create()
    await this.#files.set(key, data)
  }
}
