import { type CompileOptions, compileSteps, type Engine } from '@burgee/engine'
import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { runInSlices } from '@burgee/kit/slices'
import { type AnswerOptions, Answers, DEFAULT_CACHE_BYTES } from '../replies/answers.ts'
import { LazyOfrepAnswers } from '../replies/ofrep-answers.ts'
import type { ProfileInUse } from '../upstream/announced-profile.ts'
import { isOfProject } from './accepted-document.ts'
import { DocumentFilter } from './document-filter.ts'
import type { FeatureDocument } from './feature-document.ts'
import type { Origin } from './origin.ts'

/** Configuration in use: the compiled engine, its prepared responses and the source document. */
export interface RepositoryState {
  readonly engine: Engine
  /** Prepared responses to requests for toggles. */
  readonly answers: Answers
  /** Prepared responses to OpenFeature providers. */
  readonly ofrep: LazyOfrepAnswers
  /** Accepted part of the configuration, including parent flags that clients do not receive. */
  readonly document: FeatureDocument
  /** Sequence number of this configuration within the process, starting at 1. */
  readonly revision: number
  readonly origin: Origin
}

/**
 * Default maximum total size of the response caches: there are two caches, because there are two kinds of responses.
 */
export const MAX_CACHED_REPLY_BYTES = 2 * DEFAULT_CACHE_BYTES

/** Returns the size of the response caches. */
export function getCachedReplies(
  state: Pick<RepositoryState, 'answers' | 'ofrep'> | undefined,
): Pick<CacheSize, 'entries' | 'bytes'> {
  if (state === undefined) return { entries: 0, bytes: 0 }
  const { answers, ofrep } = state
  return {
    entries: answers.cachedEntries + ofrep.cachedEntries,
    bytes: answers.cachedBytes + ofrep.cachedBytes,
  }
}

/** Status of synchronization. Times are in milliseconds since 1970. */
export interface SyncStatus {
  /** Time at which the upstream last sent or confirmed the configuration; undefined if it has done neither. */
  readonly syncedAtMs: number | undefined
  /** Time at which the configuration last changed. */
  readonly changedAtMs: number | undefined
  readonly failures: number
  /** Last failure since the last success; undefined if nothing has failed since then. */
  readonly lastError: { readonly message: string; readonly atMs: number } | undefined
}

/** Dependencies of a `Repository`. */
export interface RepositoryDeps {
  readonly logger: Logger
  /** Logger for detailed debug messages. */
  readonly debug?: DebugLog | undefined
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly compileOptions: CompileOptions
  /** Current evaluation profile, read at each compilation. If undefined, the profile of `compileOptions` applies. */
  readonly profile?: ProfileInUse | undefined
  /** Project whose flags are exposed. If undefined, the flags of all projects are exposed. */
  readonly projectName?: string | undefined
  readonly answerOptions?: AnswerOptions | undefined
}

/** A configuration that is queued until the current compilation has ended. */
interface QueuedDocument {
  document: FeatureDocument
  readonly origin: Origin
  readonly done: Promise<FeatureDocument | undefined>
}

/**
 * Holder of the current configuration. Compiles a new configuration and prepares its responses in the background, then
 * switches atomically, so that no request sees a mixture of two configurations. Empty until the first configuration
 * arrives. Source: spec "Proxy readiness".
 */
export class Repository {
  readonly #deps: RepositoryDeps
  readonly #intake: DocumentFilter
  readonly #compileOptions: CompileOptions
  #state: RepositoryState | undefined
  #status: SyncStatus = { syncedAtMs: undefined, changedAtMs: undefined, failures: 0, lastError: undefined }
  #syncedTick: number | undefined
  #changedTick = Number.NEGATIVE_INFINITY
  #warned = new Set<string>()
  #replacing: Promise<unknown> = Promise.resolve()
  /** Most recently queued configuration. */
  #next: QueuedDocument | undefined
  readonly #subscribers = new Set<() => void>()

  constructor(deps: RepositoryDeps) {
    this.#deps = deps
    this.#intake = new DocumentFilter(deps)
    const { compileOptions, projectName } = deps
    this.#compileOptions =
      projectName === undefined
        ? compileOptions
        : { ...compileOptions, isListed: (definition) => isOfProject(definition, projectName) }
  }

  /** Configuration that is used to answer requests; undefined before the first successful sync. */
  get state(): RepositoryState | undefined {
    return this.#state
  }

  /** Status of synchronization. */
  get status(): SyncStatus {
    return this.#status
  }

  /**
   * Puts the accepted part of a new configuration (see `DocumentFilter`) into use and returns this part, or undefined
   * if the configuration is not used. Compiles and prepares responses in slices, one configuration at a time; requests
   * use the current configuration until the new configuration is ready. A newer configuration replaces a queued one
   * that has the same origin. A flag that cannot be compiled is treated as off, which is logged once. Rejects if the
   * configuration cannot be used.
   */
  replace(document: FeatureDocument, origin: Origin): Promise<FeatureDocument | undefined> {
    if (this.#next?.origin === origin) {
      this.#next.document = document
      return this.#next.done
    }
    const done = this.#replacing.then(() => {
      if (this.#next === next) this.#next = undefined
      return this.#replace(next.document, origin)
    })
    const next: QueuedDocument = { document, origin, done }
    this.#next = next
    this.#replacing = done.catch(() => {})
    return done
  }

  /**
   * Recompiles the current configuration after the profile has changed. Requests use the old engine until the new
   * engine is ready.
   */
  recompile(): Promise<void> {
    const done = this.#replacing.then(() => this.#recompile())
    this.#replacing = done.catch(() => {})
    return done
  }

  /** Calls `changed` after each change to the configuration. Returns a function that unsubscribes the listener. */
  subscribe(changed: () => void): () => void {
    const listener = () => changed()
    this.#subscribers.add(listener)
    return () => void this.#subscribers.delete(listener)
  }

  /** Resolves when every configuration received so far has been put into use or rejected. */
  async settle(): Promise<void> {
    await this.#replacing
  }

  async #replace(next: FeatureDocument, origin: Origin): Promise<FeatureDocument | undefined> {
    const document = await runInSlices(this.#intake.accept(next, origin))
    if (document === undefined) return undefined
    const { warnings, ...made } = await this.#build(document, this.#state).catch((error: unknown) => {
      if (this.#state === undefined) throw error
      // a bug in the code that reuses parts of the previous state must not block a good configuration
      this.#deps.logger.error('Cannot reuse the compiled configuration; compiling everything again', error)
      return this.#build(document, undefined)
    })
    this.#state = { ...made, document, revision: (this.#state?.revision ?? 0) + 1, origin }
    this.#recordChange()
    for (const follower of this.#subscribers) follower()
    const { length } = document.features
    this.#deps.debug?.(
      `Configuration ${this.#state.revision} is in use, from ${origin}: ${length} feature${length === 1 ? '' : 's'}`,
    )
    if (origin === 'upstream') this.confirm()
    this.#warn(
      warnings.map(({ feature, message }) => (feature === undefined ? message : `Feature "${feature}": ${message}`)),
    )
    return document
  }

  async #recompile(): Promise<void> {
    const before = this.#state
    if (before === undefined) return
    const { warnings: _same, ...made } = await this.#build(before.document, before)
    this.#state = { ...before, ...made, revision: before.revision + 1 }
    this.#recordChange()
    for (const follower of this.#subscribers) follower()
  }

  /** Compiles a configuration and prepares its responses, reusing as much of the previous state as possible. */
  async #build(document: FeatureDocument, before: RepositoryState | undefined) {
    const { answerOptions, profile } = this.#deps
    const options = profile === undefined ? this.#compileOptions : { ...this.#compileOptions, profile: profile.current }
    const { engine, warnings } = await runInSlices(compileSteps(document, options, before?.engine))
    const answers = await runInSlices(Answers.buildPrepared(engine, answerOptions, before?.answers))
    const { features, segments } = document
    const parts = { engine, features, segments, cacheBytes: answerOptions?.cacheBytes }
    const ofrep = new LazyOfrepAnswers(parts, before?.ofrep)
    if (ofrep.isRequested) await runInSlices(ofrep.prepare())
    return { engine, answers, ofrep, warnings }
  }

  /** Milliseconds since the upstream last sent or confirmed the configuration; undefined if it has done neither. */
  get syncedAgoMs(): number | undefined {
    return this.#syncedTick === undefined ? undefined : this.#deps.monotonic() - this.#syncedTick
  }

  /** Milliseconds since the configuration last changed; infinite if it has never changed. */
  get changedAgoMs(): number {
    return this.#deps.monotonic() - this.#changedTick
  }

  /** Records that the upstream has confirmed the configuration in use. */
  confirm(): void {
    this.#syncedTick = this.#deps.monotonic()
    this.#status = { ...this.#status, syncedAtMs: this.#deps.clock(), lastError: undefined }
  }

  /** Records that a synchronization with the upstream failed. The current configuration remains in use. */
  fail(error: Error): void {
    const lastError = { message: error.message, atMs: this.#deps.clock() }
    this.#status = { ...this.#status, failures: this.#status.failures + 1, lastError }
  }

  #recordChange(): void {
    this.#changedTick = this.#deps.monotonic()
    this.#status = { ...this.#status, changedAtMs: this.#deps.clock() }
  }

  #warn(texts: readonly string[]): void {
    for (const text of texts) if (!this.#warned.has(text)) this.#deps.logger.warn(text)
    this.#warned = new Set(texts)
  }
}
