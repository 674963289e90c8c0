import { type CompileOptions, compileSteps, type Engine } from '@burgee/engine'
import type { Debug, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { runInSlices } from '@burgee/kit/slices'
import { type AnswerOptions, Answers, DEFAULT_CACHE_BYTES } from '../replies/answers.ts'
import { LazyOfrepAnswers } from '../replies/ofrep-answers.ts'
import type { ProfileInUse } from '../upstream/announced-profile.ts'
import type { FeatureDocument } from './feature-document.ts'
import { Intake } from './intake.ts'
import type { Origin } from './origin.ts'
import { isOfProject } from './take-document.ts'

/** A configuration in use: the compiled engine, its answers and what it was compiled from. */
export interface RepositoryState {
  readonly engine: Engine
  /** Replies over `engine`, their JSON prepared. */
  readonly answers: Answers
  /** Answers to OpenFeature's providers over `engine`. */
  readonly ofrep: LazyOfrepAnswers
  /** What was taken of the configuration that came, with the parents that nobody may ask for. */
  readonly document: FeatureDocument
  /** Counts the configurations of this process, from 1. */
  readonly revision: number
  readonly origin: Origin
}

/** Maximum of `cachedReplyBytes` by default: there are two kinds of replies. */
export const MAX_CACHED_REPLY_BYTES = 2 * DEFAULT_CACHE_BYTES

/** Bytes of replies that are kept for contexts that come again. */
export function cachedReplyBytes(state: Pick<RepositoryState, 'answers' | 'ofrep'> | undefined): number {
  return state === undefined ? 0 : state.answers.cachedBytes + state.ofrep.cachedBytes
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

/** What a repository needs. */
export interface RepositoryDeps {
  readonly logger: Logger
  /** Hears of what is done step by step. */
  readonly debug?: Debug | undefined
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly compileOptions: CompileOptions
  /** Read at each compilation; without it the profile of `compileOptions` counts. */
  readonly profile?: ProfileInUse | undefined
  /** Flags of other projects are unknown; undefined knows all. */
  readonly projectName?: string | undefined
  readonly answerOptions?: AnswerOptions | undefined
}

/** A configuration that waits for the one before it. */
interface Waiting {
  document: FeatureDocument
  readonly origin: Origin
  readonly done: Promise<FeatureDocument | undefined>
}

/**
 * Holds the current configuration. A new one is compiled and prepared aside, then takes its place as a whole, so a request
 * sees one or the other, never a mixture. There is none until the first one has come. Source: spec "Proxy readiness".
 */
export class Repository {
  readonly #deps: RepositoryDeps
  readonly #intake: Intake
  readonly #compileOptions: CompileOptions
  #state: RepositoryState | undefined
  #status: SyncStatus = { syncedAtMs: undefined, changedAtMs: undefined, failures: 0, lastError: undefined }
  #syncedTick: number | undefined
  #changedTick = Number.NEGATIVE_INFINITY
  #warned = new Set<string>()
  #replacing: Promise<unknown> = Promise.resolve()
  /** What came last and has not begun. */
  #next: Waiting | undefined
  readonly #followers = new Set<() => void>()

  constructor(deps: RepositoryDeps) {
    this.#deps = deps
    this.#intake = new Intake(deps)
    const { compileOptions, projectName } = deps
    this.#compileOptions =
      projectName === undefined
        ? compileOptions
        : { ...compileOptions, isListed: (definition) => isOfProject(definition, projectName) }
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
   * Puts a new configuration in place, as far as it is taken (`Intake`), and answers what is now in use; undefined where
   * it is not used. Compiles and prepares answers in slices, one configuration after the other; meanwhile requests go on
   * with the one in use. One that waits gives its place to the next of the same origin. A feature that does not compile is
   * off, and that is logged once. Rejects where it cannot be used, whatever the reason.
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
    const next: Waiting = { document, origin, done }
    this.#next = next
    this.#replacing = done.catch(() => {})
    return done
  }

  /** Compiles what is in use again, after a change of the profile. Requests go on with what was compiled before. */
  recompile(): Promise<void> {
    const done = this.#replacing.then(() => this.#recompile())
    this.#replacing = done.catch(() => {})
    return done
  }

  /** Calls where another configuration is in use; the result ends that. */
  follow(changed: () => void): () => void {
    const listener = () => changed()
    this.#followers.add(listener)
    return () => void this.#followers.delete(listener)
  }

  /** Resolves when what has come so far is in use, or is not used. */
  async settle(): Promise<void> {
    await this.#replacing
  }

  async #replace(next: FeatureDocument, origin: Origin): Promise<FeatureDocument | undefined> {
    const document = await runInSlices(this.#intake.take(next, origin))
    if (document === undefined) return undefined
    const { warnings, ...made } = await this.#make(document, this.#state).catch((error: unknown) => {
      if (this.#state === undefined) throw error
      // whatever is wrong with what would be taken over must not keep a good configuration from coming into use
      this.#deps.logger.error('Nothing could be taken over from the configuration in use; all is made anew', error)
      return this.#make(document, undefined)
    })
    this.#state = { ...made, document, revision: (this.#state?.revision ?? 0) + 1, origin }
    this.#noteChange()
    for (const follower of this.#followers) follower()
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
    const { warnings: _same, ...made } = await this.#make(before.document, before)
    this.#state = { ...before, ...made, revision: before.revision + 1 }
    this.#noteChange()
    for (const follower of this.#followers) follower()
  }

  /** Compiles a configuration and prepares its answers, with all that can be taken over of the one before. */
  async #make(document: FeatureDocument, before: RepositoryState | undefined) {
    const { answerOptions, profile } = this.#deps
    const options = profile === undefined ? this.#compileOptions : { ...this.#compileOptions, profile: profile.current }
    const { engine, warnings } = await runInSlices(compileSteps(document, options, before?.engine))
    const answers = await runInSlices(Answers.prepared(engine, answerOptions, before?.answers))
    const { features, segments } = document
    const parts = { engine, features, segments, cacheBytes: answerOptions?.cacheBytes }
    const ofrep = new LazyOfrepAnswers(parts, before?.ofrep)
    if (ofrep.isWanted) await runInSlices(ofrep.prepare())
    return { engine, answers, ofrep, warnings }
  }

  /** Milliseconds since the upstream last sent or confirmed the configuration; undefined before it did so. */
  get syncedAgoMs(): number | undefined {
    return this.#syncedTick === undefined ? undefined : this.#deps.monotonic() - this.#syncedTick
  }

  /** Milliseconds since the configuration last changed; infinite before there is one. */
  get changedAgoMs(): number {
    return this.#deps.monotonic() - this.#changedTick
  }

  /** The upstream says that the configuration in use is its current one. */
  confirm(): void {
    this.#syncedTick = this.#deps.monotonic()
    this.#status = { ...this.#status, syncedAtMs: this.#deps.clock(), lastError: undefined }
  }

  /** An attempt to synchronise failed; what is in use stays. */
  fail(error: Error): void {
    const lastError = { message: error.message, atMs: this.#deps.clock() }
    this.#status = { ...this.#status, failures: this.#status.failures + 1, lastError }
  }

  #noteChange(): void {
    this.#changedTick = this.#deps.monotonic()
    this.#status = { ...this.#status, changedAtMs: this.#deps.clock() }
  }

  #warn(texts: readonly string[]): void {
    for (const text of texts) if (!this.#warned.has(text)) this.#deps.logger.warn(text)
    this.#warned = new Set(texts)
  }
}
