import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'

/** Where the last good configuration is kept between starts. The key is the proxy's app name. */
export interface StorageProvider {
  /** What was kept, or nothing. It is checked like an upstream's answer before it is used. */
  get(key: string): Promise<unknown>
  set(key: string, data: FeatureDocument): Promise<void>
}

const SEAL = ',"checksum":"'
const OWNER_ONLY_FOLDER = 0o700
const OWNER_ONLY_FILE = 0o600
/** No write takes this long, so an older file was left behind. Another process may still be writing a younger one. */
const LEFTOVER_MS = 60_000

/**
 * Keeps configurations as files of a folder. A file is replaced whole: written beside, synced, renamed; so a crash
 * leaves the old one or the new one. What was written beside by a process that was killed is removed by the first
 * write of a later one. Files are the owner's alone.
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
    if (!this.#isSwept) await sweep(path)
    this.#isSwept = true
    const beside = `${path}.${crypto.randomUUID()}.tmp`
    try {
      await writeSynced(beside, sealed(data))
      await rename(beside, path)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
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

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY_FILE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function sweep(path: string): Promise<void> {
  const folder = dirname(path)
  const besides = (await readdir(folder)).filter(
    (name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'),
  )
  for (const name of besides) {
    const beside = join(folder, name)
    const { mtimeMs } = await stat(beside).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(beside, { force: true })
  }
}
