import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'

/** Where the last good configuration is kept between starts. The key is the proxy's app name. */
export interface StorageProvider {
  /** What was kept, or nothing. It is checked like an upstream's answer before it is used. */
  get(key: string): Promise<unknown>
  set(key: string, data: FeatureDocument): Promise<void>
}

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
      return JSON.parse(await readFile(this.#path(key), 'utf8'))
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
      await writeSynced(beside, JSON.stringify(data))
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
