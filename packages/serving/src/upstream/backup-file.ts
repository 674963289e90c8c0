import { resolve } from 'node:path'
import { SealedFiles, toFileName } from '@burgee/kit/files/sealed-files'
import type { FeatureDocument } from '../document/feature-document.ts'

/** Storage of the last good configuration across restarts. The key is the proxy's app name. */
export interface StorageProvider {
  /** Returns the stored value, or undefined. The caller validates the value like an upstream response before use. */
  get(key: string): Promise<unknown>
  set(key: string, data: FeatureDocument): Promise<void>
}

/**
 * Storage of configurations as files in a folder that only the owner can access. Replaces files atomically. The first
 * write removes temporary files left by a killed process.
 */
export class FileStorage implements StorageProvider {
  readonly #files: SealedFiles

  constructor(folder: string) {
    this.#files = new SealedFiles(resolve(folder))
  }

  get(key: string): Promise<unknown> {
    return this.#files.read(getBackupFileName(key))
  }

  set(key: string, data: FeatureDocument): Promise<void> {
    return this.#files.write(getBackupFileName(key), data)
  }
}

/** Returns the file name for a key. Any key is allowed. */
function getBackupFileName(key: string): string {
  return `features-${toFileName(key)}.json`
}
