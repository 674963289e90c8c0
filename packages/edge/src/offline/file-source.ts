import type { Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import { startTimer } from '@burgee/kit/timer'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { describeError } from '@burgee/serving/upstream/error-reason'
import { readBootstrapFile } from './bootstrap-file.ts'

/** Dependencies of a file source. */
export interface FileSourceDeps {
  readonly path: string
  readonly profile: EvaluationProfile
  /** Document that was read at startup. */
  readonly first: FeatureDocument
  /** Time between two reads of the file, in milliseconds. If the time is 0, the file is read only on `refresh`. */
  readonly reloadIntervalMs: number
  readonly logger: Logger
}

/**
 * Source that reads flags from a file, again at each interval. If a read fails, the current flags remain in use.
 * Failures are logged when they begin and when they end.
 */
export class FileSource implements ConfigurationSource {
  readonly #deps: FileSourceDeps
  #listener: ConfigurationListener | undefined
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined
  readonly #outage: OutageLog

  constructor(deps: FileSourceDeps) {
    this.#deps = deps
    const { logger } = deps
    this.#outage = new OutageLog({
      begins: (error) =>
        logger.error(`Cannot read the bootstrap file; keeping the current flags: ${describeError(error)}`),
      ends: () => logger.warn('The bootstrap file is readable again'),
    })
  }

  start(listener: ConfigurationListener): void {
    this.#listener = listener
    listener.accept(this.#deps.first, 'bootstrap')
    this.#wait()
  }

  refresh(): void {
    if (this.#listener === undefined || this.#reading !== undefined) return
    clearTimeout(this.#timer)
    this.#reading = this.#read(this.#listener)
  }

  async stop(): Promise<void> {
    this.#listener = undefined
    clearTimeout(this.#timer)
    await this.#reading
  }

  #wait(): void {
    const { reloadIntervalMs } = this.#deps
    if (reloadIntervalMs > 0 && this.#listener !== undefined) {
      this.#timer = startTimer(reloadIntervalMs, () => this.refresh())
    }
  }

  /** Never rejects. */
  async #read(listener: ConfigurationListener): Promise<void> {
    const { path, profile } = this.#deps
    try {
      const document = await readBootstrapFile(path, profile)
      if (this.#listener !== undefined) listener.accept(document, 'bootstrap')
      this.#outage.succeed()
    } catch (error) {
      this.#outage.fail(error)
      if (this.#listener !== undefined && error instanceof Error) listener.fail(error)
    }
    this.#reading = undefined
    this.#wait()
  }
}
