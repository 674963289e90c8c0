import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { TimeoutError, withTimeout } from '@burgee/kit/with-timeout'
import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentState } from '@burgee/serving/document/environment-document'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { type Environments, EnvironmentUnavailable } from './environments.ts'
import type { FetchingTokens } from './fetching-tokens.ts'
import { MergedEnvironment } from './merged-environment.ts'

/** Dependencies of the environments of an edge. */
export interface EnvironmentsDeps {
  readonly fetching: FetchingTokens
  /** Returns the source that fetches the flags of a token from the upstream. */
  readonly createSource: (token: string) => ConfigurationSource
  /** Maximum time that a caller waits for the first flags of an environment, in milliseconds. */
  readonly firstDataLimitMs: number
  readonly clock: () => number
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly logger: Logger
  /** Logs details, at debug level. */
  readonly debug?: DebugLog | undefined
}

const SETTLE_LIMIT_MS = 1000
/**
 * Maximum number of removed environments whose last, empty state is retained for streams that are still open. Test runs
 * remove environments all the time, so the oldest states are dropped.
 */
const MAX_REMOVED = { entries: 1000 }

interface FetchedEnvironment {
  readonly merged: MergedEnvironment
  /** Resolves when the first flags have arrived. Rejects if the environment is removed before any flags arrive. */
  readonly first: PromiseWithResolvers<DocumentState>
}

/**
 * Creates the environments, one for each environment that has a token. The flags of an environment are removed when its
 * last token is removed. Environments restored from an earlier process remain until all start-up tokens have been
 * validated. Restored environments that have no token are then removed.
 */
export function createEnvironments(deps: EnvironmentsDeps): Environments {
  return new FetchedEnvironments(deps)
}

class FetchedEnvironments implements Environments {
  readonly #deps: EnvironmentsDeps
  readonly #listeners: DocumentListeners
  readonly #held = new Map<string, FetchedEnvironment>()
  readonly #gone = new BoundedCache<DocumentState>(MAX_REMOVED)
  /**
   * Highest version of any environment that was removed. An environment that is added again continues from this
   * version, so that two states never have the same version.
   */
  #greatestGone = 0
  /** Environments without a token about whose removal subscribers are still being notified. */
  readonly #ending = new Map<string, { readonly merged: MergedEnvironment; readonly end: Promise<void> }>()
  readonly #unsubscribe: () => void

  constructor(deps: EnvironmentsDeps) {
    this.#deps = deps
    this.#listeners = new DocumentListeners(deps.logger)
    this.#unsubscribe = deps.fetching.subscribe(() => this.#follow())
    this.#follow()
  }

  get(environment: string): DocumentState | Promise<DocumentState> {
    const held = this.#held.get(environment)
    const state = held?.merged.state ?? this.#ending.get(environment)?.merged.state
    if (state !== undefined) return state
    if (held === undefined) return Promise.reject(new EnvironmentUnavailable(environment, 'no token is for it'))
    return this.#first(environment, held)
  }

  peek(environment: string): DocumentState | undefined {
    const { merged } = this.#held.get(environment) ?? this.#ending.get(environment) ?? {}
    return merged?.state ?? this.#gone.get(environment)
  }

  has(environment: string): boolean {
    return this.#held.get(environment)?.merged.state !== undefined
  }

  completeUpTo(environment: string) {
    return this.#held.get(environment)?.merged.state?.revision
  }

  async settled(environment: string): Promise<void> {
    await withTimeout(SETTLE_LIMIT_MS, this.#held.get(environment)?.merged.settled()).catch(() => {})
  }

  findTouchedSince(environment: string, revision: { readonly epoch: string; readonly id: number }) {
    return this.#held.get(environment)?.merged.touchedAfter(revision)
  }

  subscribe(listener: Parameters<DocumentListeners['subscribe']>[0]): () => void {
    return this.#listeners.subscribe(listener)
  }

  listStatuses() {
    return [...this.#held.values()].map(({ merged }) => merged.status)
  }

  findUpstreamNumber(environment: string, revision: { readonly epoch: string; readonly id: number }) {
    return this.#held.get(environment)?.merged.findUpstreamNumber(revision)
  }

  documents(): ReadonlyMap<string, FeatureDocument> {
    return new Map(
      [...this.#held].flatMap(([name, { merged }]) =>
        merged.state === undefined ? [] : [[name, toDocument(merged.state)] as const],
      ),
    )
  }

  async restore(kept: ReadonlyMap<string, FeatureDocument>): Promise<void> {
    const isOpen = (name: string) => this.#held.has(name) || !this.#deps.fetching.isSettled
    const restoring = [...kept].filter(([name]) => isOpen(name))
    for (const result of await Promise.allSettled(
      restoring.map(([name, document]) => this.#hold(name).merged.restore(document)),
    )) {
      if (result.status === 'rejected') this.#deps.logger.warn('Cannot use the flags from the snapshot', result.reason)
    }
  }

  refresh(): void {
    for (const { merged } of this.#held.values()) merged.refresh()
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    for (const [name, { first }] of this.#held) first.reject(new EnvironmentUnavailable(name, 'the process ends'))
    await Promise.all([...this.#held.values()].map(({ merged }) => merged.close()))
    await Promise.all([...this.#ending.values()].map(({ end }) => end))
  }

  async #first(environment: string, { merged, first }: FetchedEnvironment): Promise<DocumentState> {
    if (merged.tokens > 0 && merged.isFailing) {
      throw new EnvironmentUnavailable(environment, 'the upstream does not answer')
    }
    try {
      return await withTimeout(this.#deps.firstDataLimitMs, first.promise)
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      throw new EnvironmentUnavailable(environment, 'the upstream has not answered yet')
    }
  }

  #follow(): void {
    const { fetching } = this.#deps
    const byName = Map.groupBy(fetching.current(), ({ environment }) => environment)
    for (const [name, tokens] of byName) this.#hold(name).merged.fetchWith(tokens)
    for (const [name, held] of this.#held) {
      const isOver = !byName.has(name) && (held.merged.tokens > 0 || fetching.isSettled)
      if (isOver) this.#forget(name, held)
    }
  }

  #hold(name: string): FetchedEnvironment {
    const known = this.#held.get(name)
    if (known !== undefined) return known
    const first = Promise.withResolvers<DocumentState>()
    // avoids an unhandled rejection if no caller awaits the promise
    first.promise.catch(() => {})
    const changed = (state: DocumentState) => {
      first.resolve(state)
      return this.#listeners.notify(name, state)
    }
    // the removal of an environment publishes one more version
    const afterVersion = Math.max(this.peek(name)?.version ?? 0, this.#greatestGone) + 1
    const merged = new MergedEnvironment(name, { ...this.#deps, changed, afterVersion })
    const held = { merged, first }
    this.#held.set(name, held)
    return held
  }

  #forget(name: string, held: FetchedEnvironment): void {
    this.#held.delete(name)
    held.first.reject(new EnvironmentUnavailable(name, 'no token is for it any longer'))
    const { merged } = held
    const end = merged.clear().then(() => {
      // the environment may have been added and removed again in the meantime
      if (this.#ending.get(name)?.merged !== merged) return
      this.#ending.delete(name)
      if (merged.state === undefined) return
      this.#greatestGone = Math.max(this.#greatestGone, merged.state.version)
      this.#gone.set(name, merged.state)
    })
    this.#ending.set(name, { merged, end })
  }
}

/**
 * Cache that returns the document for a state. For equal states, returns the same document object, so that the storage
 * can detect changes by identity.
 */
const DOCUMENTS = new WeakMap<DocumentState, FeatureDocument>()

function toDocument(state: DocumentState): FeatureDocument {
  const known = DOCUMENTS.get(state)
  if (known !== undefined) return known
  const features = state.flags.map(({ feature }) => feature)
  const segments = [...state.segments.values()].map(({ segment }) => segment)
  const document = { version: 2, features, segments }
  DOCUMENTS.set(state, document)
  return document
}
