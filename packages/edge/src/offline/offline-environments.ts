import type { Debug, Logger } from '@burgee/kit/log/logger'
import { within } from '@burgee/kit/within'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentRevision, DocumentState } from '@burgee/serving/document/environment-document'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { reasonOf } from '@burgee/serving/upstream/error-reason'
import type { Environments } from '../environments/environments.ts'
import { MergedEnvironment } from '../environments/merged-environment.ts'
import { readBootstrapFile } from './bootstrap-file.ts'
import { FileSource } from './file-source.ts'

/** What environments of a file need. */
export interface OfflineEnvironmentsDeps {
  /** Where the file is. */
  readonly path: string
  /** Whose reading of the file counts where SDKs differ. */
  readonly profile: EvaluationProfile
  /** How often it is read again, in milliseconds; 0: never by itself. */
  readonly reloadIntervalMs: number
  readonly clock: () => number
  /** A number from 0 on, below 1. */
  readonly random: () => number
  readonly logger: Logger
  /** Hears of what is done step by step. */
  readonly debug?: Debug | undefined
}

const SETTLE_LIMIT_MS = 1000
/** Of those that tokens name, which are known from the start. */
const MOST_ASKED = 10_000

/**
 * The flags of one file, for every environment that is asked for. Rejects with an Error that names the option where the
 * file cannot be read at the start. Source: wire protocol "Files and offline mode"
 */
export async function createOfflineEnvironments(deps: OfflineEnvironmentsDeps): Promise<Environments> {
  const first = await readBootstrapFile(deps.path, deps.profile).catch((error: unknown) => {
    throw new Error(`BOOTSTRAP_FILE cannot be used: ${reasonOf(error)}`, { cause: error })
  })
  const environments = new OfflineEnvironments(deps, first)
  await environments.settled()
  return environments
}

class OfflineEnvironments implements Environments {
  readonly #listeners: DocumentListeners
  readonly #asked = new Set<string>()
  readonly #file: MergedEnvironment

  constructor(deps: OfflineEnvironmentsDeps, first: FeatureDocument) {
    this.#listeners = new DocumentListeners(deps.logger)
    this.#file = new MergedEnvironment('offline', {
      ...deps,
      sourceOf: () => new FileSource({ ...deps, first }),
      changed: async (state) => {
        await Promise.all([...this.#asked].map((environment) => this.#listeners.tell(environment, state)))
      },
      afterVersion: 0,
      takesEmpty: true,
    })
    this.#file.fetchWith([{ text: '', id: 'file', environment: 'offline', projects: ['*'] }])
  }

  of(environment: string): DocumentState | Promise<DocumentState> {
    return this.known(environment) ?? Promise.reject(new Error('The bootstrap file is not in use yet'))
  }

  known(environment: string): DocumentState | undefined {
    if (this.#asked.size < MOST_ASKED) this.#asked.add(environment)
    return this.#file.state
  }

  has(): boolean {
    return this.#file.state !== undefined
  }

  completeUpTo(): DocumentRevision | undefined {
    return this.#file.state?.revision
  }

  async settled(): Promise<void> {
    await within(SETTLE_LIMIT_MS, this.#file.settled()).catch(() => {})
  }

  touchedAfter(_environment: string, revision: DocumentRevision) {
    return this.#file.touchedAfter(revision)
  }

  subscribe(listener: Parameters<DocumentListeners['subscribe']>[0]): () => void {
    return this.#listeners.subscribe(listener)
  }

  standings() {
    return [...this.#asked].map((environment) => ({
      ...this.#file.standing,
      environment,
      origin: 'bootstrap' as const,
    }))
  }

  /** The file is there at the next start as well. */
  documents(): ReadonlyMap<string, FeatureDocument> {
    return new Map()
  }

  /** The file is all there is. */
  async restore(): Promise<void> {}

  refresh(): void {
    this.#file.refresh()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
