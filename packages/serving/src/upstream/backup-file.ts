import { resolve } from 'node:path'
import { SealedFiles, toFileName } from '@burgee/kit/files/sealed-files'
import type { FeatureDocument } from '../document/feature-document.ts'

/** Storage that preserves the last good configuration across restarts. The key is the app name of the proxy. */
export interface StorageProvider {
  /**
   * Returns the stored value, or undefined if nothing is stored. Before using the value, the caller validates it like
   * an upstream response.
   */
  get(key: string): Promise<unknown>
  set(key: string, data: FeatureDocument): Promise<void>
}

/**
 * Storage of configurations as files in a folder that only the user running the process can access. Replaces files
 * atomically. The first write also removes temporary files that a killed process left behind.
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

/** Returns the name of the file for a key. The key may contain any characters. */
function getBackupFileName(key: string): string {
  return `features-${toFileName(key)}.json`
}
