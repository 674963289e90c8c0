import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SealedFiles, toFileName } from '@burgee/kit/files/sealed-files'
import { isObject } from '@burgee/kit/input/is-object'
import type { Logger } from '@burgee/kit/log/logger'
import { findProfile } from '@burgee/protocol/evaluation-profile'
import { type FeatureDocument, parseFeatureDocument } from '@burgee/serving/document/feature-document'
import { describeError, findErrorCode } from '@burgee/serving/upstream/error-reason'
import type { EdgeSnapshot, EdgeStorage } from './edge-storage.ts'
import { readForeignState } from './foreign-state.ts'
import { readTokens } from './snapshot-tokens.ts'

const TOKENS = 'burgee-edge-tokens.json'
const FEATURES = /^burgee-edge-features-.*\.json$/
/** Files of an Unleash Edge that ran here before; Burgee never writes them. */
const FOREIGN = { tokens: 'unleash_tokens.json', features: 'unleash_features.json' }

/**
 * Stores tokens, and the flags of each environment, as files that only the file's owner can read. A damaged file is
 * logged and skipped. If none of these files exist yet, reads the files of an Unleash Edge.
 */
export class FolderStorage implements EdgeStorage {
  readonly #folder: string
  readonly #files: SealedFiles
  readonly #logger: Logger
  /**
   * Values that this process has written to each file, by file name. The value is undefined for a file that this
   * process has only loaded.
   */
  readonly #written = new Map<string, unknown>()

  constructor(folder: string, logger: Logger) {
    this.#folder = resolve(folder)
    this.#files = new SealedFiles(this.#folder)
    this.#logger = logger
  }

  async load(): Promise<EdgeSnapshot | undefined> {
    const names = await this.#names()
    const files = names.filter((name) => FEATURES.test(name))
    if (!names.includes(TOKENS) && files.length === 0) return this.#foreign()
    const documents = new Map<string, FeatureDocument>()
    for (const name of files) {
      const kept = await this.#read(name)
      if (isObject(kept) && typeof kept.environment === 'string') {
        this.#take(name, () => documents.set(String(kept.environment), parseFeatureDocument(kept.document)))
        this.#written.set(name, undefined)
      }
    }
    const kept = await this.#read(TOKENS)
    const tokens = isObject(kept) && Array.isArray(kept.tokens) ? readTokens(kept.tokens) : []
    return { tokens, documents, profile: isObject(kept) ? findProfile(String(kept.profile)) : undefined }
  }

  async save({ tokens, documents, profile }: EdgeSnapshot): Promise<void> {
    const wanted = new Map<string, { readonly of: unknown; readonly data: object }>()
    for (const [environment, document] of documents) {
      const data = { environment, document }
      wanted.set(`burgee-edge-features-${toFileName(environment)}.json`, { of: document, data })
    }
    const list = JSON.stringify([tokens, profile])
    wanted.set(TOKENS, { of: list, data: { tokens, profile } })
    for (const [name, { of, data }] of wanted) {
      if (this.#written.get(name) === of) continue
      await this.#files.write(name, data)
      this.#written.set(name, of)
    }
    for (const name of [...this.#written.keys()].filter((one) => !wanted.has(one))) {
      await this.#files.remove(name)
      this.#written.delete(name)
    }
  }

  async close(): Promise<void> {}

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder)
    } catch (error) {
      if (findErrorCode(error) === 'ENOENT') return []
      throw error
    }
  }

  /** Returns undefined if the file is missing or damaged. */
  async #read(name: string): Promise<unknown> {
    try {
      return await this.#files.read(name)
    } catch (error) {
      this.#warn(name, error)
      return undefined
    }
  }

  #take(name: string, use: () => void): void {
    try {
      use()
    } catch (error) {
      this.#warn(name, error)
    }
  }

  async #foreign(): Promise<EdgeSnapshot | undefined> {
    const [tokens, features] = await Promise.all([this.#text(FOREIGN.tokens), this.#text(FOREIGN.features)])
    return readForeignState({ tokens, features }, this.#logger)
  }

  async #text(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#folder, name), 'utf8')
    } catch (error) {
      if (findErrorCode(error) !== 'ENOENT') this.#warn(name, error)
      return undefined
    }
  }

  /** Logs a damaged file. Omits the parser's message, because it would quote tokens. */
  #warn(name: string, error: unknown): void {
    const why = error instanceof SyntaxError ? 'it is not JSON' : describeError(error)
    this.#logger.warn(`Cannot use the file ${name} of the backup folder: ${why}`)
  }
}
