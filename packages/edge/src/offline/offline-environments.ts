import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentRevision, DocumentState } from '@burgee/serving/document/environment-document'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { describeError } from '@burgee/serving/upstream/error-reason'
import type { Environments } from '../environments/environments.ts'
import { MergedEnvironment } from '../environments/merged-environment.ts'
import { readBootstrapFile } from './bootstrap-file.ts'
import { FileSource } from './file-source.ts'

/** Dependencies of offline environments. */
export interface OfflineEnvironmentsDeps {
  /** Path of the bootstrap file. */
  readonly path: string
  /** Evaluation profile. Rules for evaluating flags that SDK families evaluate differently. */
  readonly profile: EvaluationProfile
  /** Time between two reads of the file, in milliseconds. If the time is 0, the file is read only on `refresh`. */
  readonly reloadIntervalMs: number
  readonly clock: () => number
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly logger: Logger
  /** Logs details, at debug level. */
  readonly debug?: DebugLog | undefined
}

const SETTLE_LIMIT_MS = 1000
/** Maximum number of tracked environments. Only tokens can name an environment, and all tokens are known at startup. */
const MAX_ENVIRONMENTS = 10_000

/**
 * Creates the environments of a node that serves every environment from the same file. Rejects with an Error that names
 * the option if the file cannot be read. Source: wire protocol, section "Files and offline mode"
 */
export async function createOfflineEnvironments(deps: OfflineEnvironmentsDeps): Promise<Environments> {
  const first = await readBootstrapFile(deps.path, deps.profile).catch((error: unknown) => {
    throw new Error(`BOOTSTRAP_FILE cannot be used: ${describeError(error)}`, { cause: error })
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
      createSource: () => new FileSource({ ...deps, first }),
      changed: async (state) => {
        await Promise.all([...this.#asked].map((environment) => this.#listeners.notify(environment, state)))
      },
      afterVersion: 0,
      takesEmpty: true,
    })
    this.#file.fetchWith([{ text: '', id: 'file', environment: 'offline', projects: ['*'] }])
  }

  get(environment: string): DocumentState | Promise<DocumentState> {
    return this.peek(environment) ?? Promise.reject(new Error('The bootstrap file has not been loaded yet'))
  }

  peek(environment: string): DocumentState | undefined {
    if (this.#asked.size < MAX_ENVIRONMENTS) this.#asked.add(environment)
    return this.#file.state
  }

  has(): boolean {
    return this.#file.state !== undefined
  }

  completeUpTo(): DocumentRevision | undefined {
    return this.#file.state?.revision
  }

  async settled(): Promise<void> {
    await withTimeout(SETTLE_LIMIT_MS, this.#file.settled()).catch(() => {})
  }

  findTouchedSince(_environment: string, revision: DocumentRevision) {
    return this.#file.touchedAfter(revision)
  }

  subscribe(listener: Parameters<DocumentListeners['subscribe']>[0]): () => void {
    return this.#listeners.subscribe(listener)
  }

  listStatuses() {
    return [...this.#asked].map((environment) => ({
      ...this.#file.status,
      environment,
      origin: 'bootstrap' as const,
    }))
  }

  /** Returns undefined, because these flags have no upstream. */
  findUpstreamNumber(): undefined {
    return undefined
  }

  /** Returns nothing to store, because the file is read again at the next start. */
  documents(): ReadonlyMap<string, FeatureDocument> {
    return new Map()
  }

  /** Does nothing, because the file is the only source. */
  async restore(): Promise<void> {}

  refresh(): void {
    this.#file.refresh()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
