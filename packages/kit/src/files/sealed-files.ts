import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeLeftovers, replaceFile } from './replace-file.ts'

const SEAL = ',"checksum":"'
const OWNER_ONLY_FOLDER = 0o700

/**
 * Folder of JSON files, each of which contains one object and a checksum. Only the owner can access the files. Files
 * are replaced atomically. The first write to each file removes temporary files left behind by killed processes.
 */
export class SealedFiles {
  readonly #folder: string
  readonly #swept = new Set<string>()

  /** @param folder created at the first write */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Returns the content of a file, or undefined if the file does not exist. Accepts files without a checksum, which
   * other programs may have written. Rejects if the file cannot be read, is not JSON, or has a wrong checksum.
   */
  async read(name: string): Promise<unknown> {
    try {
      return unseal(await readFile(join(this.#folder, name), 'utf8'))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  /**
   * Replaces a file with the JSON of `data`, which must have at least one property. Rejects if the file cannot be
   * written.
   */
  async write(name: string, data: object): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const path = join(this.#folder, name)
    if (!this.#swept.has(name)) await removeLeftovers(path)
    this.#swept.add(name)
    await replaceFile(path, (file) => file.writeFile(seal(data)))
  }

  /** Removes a file if it exists. */
  async remove(name: string): Promise<void> {
    this.#swept.delete(name)
    await rm(join(this.#folder, name), { force: true })
  }
}

/** Converts any text into part of a file name by percent-encoding special characters. */
export function toFileName(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E')
}

/** Serializes an object as JSON whose last property is a checksum: the SHA-256 of the text before it. */
function seal(data: object): string {
  const text = JSON.stringify(data).slice(0, -1)
  return `${text}${SEAL}${computeChecksum(text)}"}`
}

function unseal(text: string): unknown {
  const at = text.lastIndexOf(SEAL)
  if (at < 0) return JSON.parse(text)
  const data = text.slice(0, at)
  if (text.slice(at) !== `${SEAL}${computeChecksum(data)}"}`) {
    throw new Error('The file is damaged: its checksum does not match')
  }
  return JSON.parse(`${data}}`)
}

function computeChecksum(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
