import { resolve } from 'node:path'
import { fileNameOf, SealedFiles } from '@burgee/kit/files/sealed-files'
import type { FeatureDocument } from '../document/feature-document.ts'

/** Where the last good configuration is kept between starts. The key is the proxy's app name. */
export interface StorageProvider {
  /** What was kept, or nothing. It is checked like an upstream's answer before it is used. */
  get(key: string): Promise<unknown>
  set(key: string, data: FeatureDocument): Promise<void>
}

/**
 * Keeps configurations as files of a folder, which are the owner's alone. A file is replaced whole; what was written
 * beside by a process that was killed is removed by the first write of a later one.
 */
export class FileStorage implements StorageProvider {
  readonly #files: SealedFiles

  constructor(folder: string) {
    this.#files = new SealedFiles(resolve(folder))
  }

  get(key: string): Promise<unknown> {
    return this.#files.read(fileOf(key))
  }

  set(key: string, data: FeatureDocument): Promise<void> {
    return this.#files.write(fileOf(key), data)
  }
}

/** Any key becomes one file name. */
function fileOf(key: string): string {
  return `features-${fileNameOf(key)}.json`
}
