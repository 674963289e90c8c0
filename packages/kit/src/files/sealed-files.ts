import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, sweepBeside } from './replace-file.ts'

const SEAL = ',"checksum":"'
const OWNER_ONLY_FOLDER = 0o700

/**
 * Objects as JSON files of a folder, which are the owner's alone. A file is replaced whole, and says whether it is whole;
 * what was written beside it by a process that was killed is removed by the first write of a later one.
 */
export class SealedFiles {
  readonly #folder: string
  readonly #swept = new Set<string>()

  /** @param folder made at the first write */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * What a file holds; undefined where there is none. A file of another program, which has no checksum, is taken as it is.
   * Rejects where it cannot be read, is no JSON, or the checksum is another one.
   */
  async read(name: string): Promise<unknown> {
    try {
      return unsealed(await readFile(join(this.#folder, name), 'utf8'))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Puts an object of at least one property in the place of what a file held. Rejects where it cannot be written. */
  async write(name: string, data: object): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const path = join(this.#folder, name)
    if (!this.#swept.has(name)) await sweepBeside(path)
    this.#swept.add(name)
    await replaceFile(path, (file) => file.writeFile(sealed(data)))
  }

  /** Removes a file, if it is there. */
  async remove(name: string): Promise<void> {
    this.#swept.delete(name)
    await rm(join(this.#folder, name), { force: true })
  }
}

/** Any text as a part of one file name: what is not plain is percent-encoded. */
export function fileNameOf(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E')
}

/** An object as JSON, with a last property that says whether it is whole: the SHA-256 of what is before it. */
function sealed(data: object): string {
  const text = JSON.stringify(data).slice(0, -1)
  return `${text}${SEAL}${checksumOf(text)}"}`
}

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
