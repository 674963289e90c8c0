import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { replaceFile, sweepBeside } from '@burgee/kit/files/replace-file'
import type { FeatureDocument } from '../document/feature-document.ts'

/** Where the last good configuration is kept between starts. The key is the proxy's app name. */
export interface StorageProvider {
  /** What was kept, or nothing. It is checked like an upstream's answer before it is used. */
  get(key: string): Promise<unknown>
  set(key: string, data: FeatureDocument): Promise<void>
}

const SEAL = ',"checksum":"'
const OWNER_ONLY_FOLDER = 0o700

/**
 * Keeps configurations as files of a folder, which are the owner's alone. A file is replaced whole; what was written
 * beside by a process that was killed is removed by the first write of a later one.
 */
export class FileStorage implements StorageProvider {
  readonly #folder: string
  #isSwept = false

  constructor(folder: string) {
    this.#folder = resolve(folder)
  }

  async get(key: string): Promise<unknown> {
    try {
      return unsealed(await readFile(this.#path(key), 'utf8'))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  async set(key: string, data: FeatureDocument): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const path = this.#path(key)
    if (!this.#isSwept) await sweepBeside(path)
    this.#isSwept = true
    await replaceFile(path, (file) => file.writeFile(sealed(data)))
  }

  /** Any key becomes one file name: what is not plain is percent-encoded. */
  #path(key: string): string {
    return join(this.#folder, `features-${encodeURIComponent(key).replaceAll('.', '%2E')}.json`)
  }
}

/** The configuration as JSON, with a last property that says whether it is whole: the SHA-256 of what is before it. */
function sealed(data: FeatureDocument): string {
  const text = JSON.stringify(data).slice(0, -1)
  return `${text}${SEAL}${checksumOf(text)}"}`
}

/** What was kept. A file of another program, which has no checksum, is taken as it is. Throws where the checksum is wrong. */
function unsealed(text: string): unknown {
  const at = text.lastIndexOf(SEAL)
  if (at < 0) return JSON.parse(text)
  const data = text.slice(0, at)
  if (text.slice(at) !== `${SEAL}${checksumOf(data)}"}`) {
    throw new Error('The file is damaged: its checksum is another one')
  }
  return JSON.parse(`${data}}`)
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
