import { type CompileOptions, compileSteps, type Engine } from '@burgee/engine'
import type { Logger } from '@burgee/kit/logger'
import type { FeatureDocument } from './document.ts'
import { runInSlices } from './slices.ts'

/** Where a configuration came from: the upstream itself, or something that bridges the time until it answers. */
export type Origin = 'upstream' | 'bootstrap' | 'backup'

/** Which origin wins over which, however late it comes. */
const RANK: Readonly<Record<Origin, number>> = { backup: 0, bootstrap: 1, upstream: 2 }

/** Whether a configuration of the first origin is worth more than one of the second, however late that comes. */
export function outranks(one: Origin, other: Origin): boolean {
  return RANK[one] > RANK[other]
}

/** A configuration in use: the compiled engine and what it was compiled from. */
export interface RepositoryState {
  readonly engine: Engine
  readonly document: FeatureDocument
  /** Counts the configurations of this process, from 1. */
  readonly revision: number
  readonly origin: Origin
}

/** What the repository knows about its synchronisation. Times are in milliseconds since 1970. */
export interface SyncStatus {
  /** When the upstream last sent or confirmed the configuration; undefined before it did so. */
  readonly syncedAtMs: number | undefined
  /** When the configuration last changed. */
  readonly changedAtMs: number | undefined
  readonly failures: number
  /** The last failure since the last success. */
  readonly lastError: { readonly message: string; readonly atMs: number } | undefined
}

/** Parts a repository needs. */
export interface RepositoryDeps {
  readonly logger: Logger
  readonly clock: () => number
  readonly compileOptions: CompileOptions
  /** What else an engine needs before it comes into use, in steps of well below a millisecond. */
  readonly prepare?: (engine: Engine) => Generator<void>
}

/**
 * The current configuration. New ones are compiled and prepared aside and swapped whole, so a request sees one or the other,
 * never a mixture. Not ready until the first one has come. Source: spec "Proxy readiness".
 */
export class Repository {
  readonly #deps: RepositoryDeps
  #state: RepositoryState | undefined
  #status: SyncStatus = { syncedAtMs: undefined, changedAtMs: undefined, failures: 0, lastError: undefined }
  #warned = new Set<string>()
  #replacing: Promise<unknown> = Promise.resolve()

  constructor(deps: RepositoryDeps) {
    this.#deps = deps
  }

  /** The state to answer from; undefined before the first successful sync. */
  get state(): RepositoryState | undefined {
    return this.#state
  }

  /** How the synchronisation goes. */
  get status(): SyncStatus {
    return this.#status
  }

  /**
   * Puts a new configuration in place and answers whether it did: what only bridges the time until the upstream
   * answers never replaces what the upstream sent, nor a backup a bootstrap. Compiles and prepares in slices, so that
   * requests go on meanwhile, with what is in use; one configuration after the other. A feature that does not compile is
   * off and logged, once.
   */
  replace(document: FeatureDocument, origin: Origin): Promise<boolean> {
    const replacing = this.#replacing.then(() => this.#replace(document, origin))
    this.#replacing = replacing.catch(() => {})
    return replacing
  }

  async #replace(document: FeatureDocument, origin: Origin): Promise<boolean> {
    if (this.#state !== undefined && outranks(this.#state.origin, origin)) return false
    const steps = compileSteps(document, this.#deps.compileOptions, this.#state?.engine)
    const { engine, warnings } = await runInSlices(steps)
    if (this.#deps.prepare !== undefined) await runInSlices(this.#deps.prepare(engine))
    this.#state = { engine, document, revision: (this.#state?.revision ?? 0) + 1, origin }
    this.#status = { ...this.#status, changedAtMs: this.#deps.clock() }
    if (origin === 'upstream') this.confirm()
    this.#warn(
      warnings.map(({ feature, message }) => (feature === undefined ? message : `Feature "${feature}": ${message}`)),
    )
    return true
  }

  /** The upstream says that the configuration in use is its current one. */
  confirm(): void {
    this.#status = { ...this.#status, syncedAtMs: this.#deps.clock(), lastError: undefined }
  }

  /** An attempt to synchronise failed; what is in use stays. */
  fail(error: Error): void {
    const lastError = { message: error.message, atMs: this.#deps.clock() }
    this.#status = { ...this.#status, failures: this.#status.failures + 1, lastError }
  }

  #warn(texts: readonly string[]): void {
    for (const text of texts) if (!this.#warned.has(text)) this.#deps.logger.warn(text)
    this.#warned = new Set(texts)
  }
}
