import { readFile } from 'node:fs/promises'
import { isObject } from '@burgee/kit/input/is-object'
import type { Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import { startTimer } from '@burgee/kit/timer'
import { withTimeout } from '@burgee/kit/with-timeout'
import { type FeatureDocument, parseFeatureDocument } from '@burgee/serving/document/feature-document'
import type { Origin } from '@burgee/serving/document/origin'
import type { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import type { StorageProvider } from '@burgee/serving/upstream/backup-file'
import { describeError } from '@burgee/serving/upstream/error-reason'
import { followAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import type { Dispatcher } from 'undici'
import type { EmbeddedProxyOptions } from '../options.ts'
import { createBackup } from './backup-storage.ts'

/**
 * Object whose configuration can be replaced. `replace` returns the part of the new configuration that was accepted, or
 * undefined if none of it is used.
 */
export interface Replaceable {
  replace(document: FeatureDocument, origin: Origin): FeatureDocument | undefined | Promise<FeatureDocument | undefined>
}

/** Dependencies of `StartupConfiguration`. */
export interface StartupConfigurationDeps {
  readonly options: EmbeddedProxyOptions
  readonly repository: Replaceable
  /** Evaluation profile, which is stored with the flags because it affects how they are evaluated. */
  readonly profile: AnnouncedProfile
  readonly dispatcher: Dispatcher | undefined
  /** See `Connection`. */
  readonly sourceHash: string | undefined
  readonly logger: Logger
  /** Time limit for each read and write, so that a storage that does not respond blocks nothing else. */
  readonly timeoutMs: number
  /** Pause before a failed write of the backup is retried; a minute by default. */
  readonly retryMs?: number
}

const DEFAULT_RETRY_MS = 60_000

/**
 * Configuration that is used until the upstream responds, and never afterwards. This configuration comes from the
 * operator's bootstrap, or from a backup of the last configuration in custom storage or in the backup folder. Also
 * writes the backup for the next start.
 */
export class StartupConfiguration {
  readonly #deps: StartupConfigurationDeps
  readonly #storage: StorageProvider | undefined
  readonly #key: string
  readonly #writes: OutageLog
  #queued: FeatureDocument | undefined
  #saving: Promise<void> | undefined
  /** Configuration that has not been written yet, and the timer for the next attempt. */
  #unsaved: { readonly document: FeatureDocument; readonly retry: NodeJS.Timeout } | undefined

  constructor(deps: StartupConfigurationDeps) {
    this.#deps = deps
    const { logger } = deps
    this.#writes = new OutageLog({
      begins: (error) => logger.error('Cannot write the backup of the features', formatErrorLine(error)),
      ends: () => logger.warn('Backups of the features work again'),
    })
    const { storage, key } = createBackup(deps.options, deps.sourceHash)
    this.#storage = storage
    this.#key = key
  }

  /**
   * Reads the backup and the bootstrap concurrently. The bootstrap takes precedence. Resolves with true if the
   * bootstrap or the backup is used. Failures are only logged.
   */
  async load(): Promise<boolean> {
    const used = await Promise.all([
      this.#use('backup', async () => this.#storage?.get(this.#key)),
      this.#use('bootstrap', () => this.#bootstrap()),
    ])
    return used.includes(true)
  }

  /**
   * Stores a configuration as the backup for the next start. Only one write runs at a time; if several configurations
   * are queued, only the newest is written. A failed write is retried until it succeeds or a newer configuration
   * replaces it.
   */
  save(document: FeatureDocument): void {
    if (this.#storage === undefined) return
    this.#dropUnsaved()
    this.#queued = document
    this.#saving ??= this.#saveQueued(this.#storage)
  }

  /**
   * Resolves when the configuration last passed to `save` has been stored, or when storing it has failed. Stops
   * retrying.
   */
  async settle(): Promise<void> {
    const unsaved = this.#dropUnsaved()
    if (unsaved !== undefined) this.save(unsaved)
    await this.#saving
    this.#dropUnsaved()
  }

  #dropUnsaved(): FeatureDocument | undefined {
    const unsaved = this.#unsaved
    clearTimeout(unsaved?.retry)
    this.#unsaved = undefined
    return unsaved?.document
  }

  #retryLater(document: FeatureDocument): void {
    const retry = startTimer(this.#deps.retryMs ?? DEFAULT_RETRY_MS, () => this.save(document)).unref()
    this.#unsaved = { document, retry }
  }

  async #saveQueued(storage: StorageProvider): Promise<void> {
    while (this.#queued !== undefined) {
      const document = this.#queued
      this.#queued = undefined
      const kept = { ...document, evaluationProfile: this.#deps.profile.announced }
      const write = async () => storage.set(this.#key, kept)
      try {
        await withTimeout(this.#deps.timeoutMs, write())
        this.#writes.succeed()
      } catch (error) {
        this.#writes.fail(error)
        if (this.#queued === undefined) this.#retryLater(document)
      }
    }
    this.#saving = undefined
  }

  async #use(origin: 'backup' | 'bootstrap', read: () => Promise<unknown>): Promise<boolean> {
    try {
      const value = await withTimeout(this.#deps.timeoutMs, read())
      if (value === undefined || value === null) return false
      const { profile } = this.#deps
      const isFirst = origin === 'backup' && profile.announced === undefined
      if (isFirst && isObject(value)) profile.applyAnnouncement(toOptionalText(value.evaluationProfile))
      const used = await this.#deps.repository.replace(parseFeatureDocument(value), origin)
      if (used === undefined) return false
      this.#deps.logger.warn(`Serving ${used.features.length} features from the ${origin} until the upstream answers`)
      return true
    } catch (error) {
      this.#deps.logger.error(`Cannot use the ${origin}`, formatErrorLine(error))
      return false
    }
  }

  async #bootstrap(): Promise<unknown> {
    const { options } = this.#deps
    const features = options['expBootstrap.data']
    if (features !== undefined) return { features, segments: options['expBootstrap.segments'] }
    const path = options['expBootstrap.filePath']
    if (path !== undefined) return toDocument(JSON.parse(await readFile(path, 'utf8')))
    const url = options['expBootstrap.url']
    return url === undefined ? undefined : this.#download(url)
  }

  async #download(url: string): Promise<unknown> {
    const authorization = this.#deps.options['expBootstrap.urlHeaders.Authorization']
    const headers = { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) }
    const { dispatcher, timeoutMs } = this.#deps
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await followAnyPort(url, { headers, signal, ...(dispatcher === undefined ? {} : { dispatcher }) })
    if (!response.ok) throw new Error(`The bootstrap address returned ${response.status}`)
    return toDocument(await response.json())
  }
}

function toOptionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Converts a bootstrap that is only a list of features to a document. */
function toDocument(value: unknown): unknown {
  return Array.isArray(value) ? { features: value } : value
}

/** Formats an error without its stack, because the stack would only show internal code. */
function formatErrorLine(error: unknown): string {
  return `${error instanceof Error ? error.name : 'Error'}: ${describeError(error)}`
}
