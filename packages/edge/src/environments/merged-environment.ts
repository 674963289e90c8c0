import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { runInSlices } from '@burgee/kit/slices'
import type { TouchedItems } from '@burgee/serving/document/document-delta'
import { DocumentFilter } from '@burgee/serving/document/document-filter'
import {
  type DocumentRevision,
  type DocumentState,
  EnvironmentDocument,
} from '@burgee/serving/document/environment-document'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { TouchLog } from '@burgee/serving/document/touch-log'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { findDocumentTags } from './document-tags.ts'
import type { EnvironmentStatus } from './environments.ts'
import type { FetchingToken } from './fetching-tokens.ts'
import { buildChange, type ContentChange, type Layer, type MergedContent, merge } from './merging.ts'
import { Revisions } from './revisions.ts'
import { ScopeSource } from './scope-source.ts'
import { UpstreamNumbers } from './upstream-numbers.ts'

/** Dependencies of a merged environment. */
export interface MergedEnvironmentDeps {
  readonly createSource: (token: string) => ConfigurationSource
  readonly clock: () => number
  readonly random: () => number
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
  /**
   * Called after each change to the flags. `settled` waits for the promise that the callback returns. Never rejects.
   */
  readonly changed: (state: DocumentState) => Promise<void>
  /**
   * Last version of an earlier document of the same environment, or 0 if there was none. Version numbers continue from
   * here.
   */
  readonly afterVersion: number
  /** True to accept a document without flags even from a file or a backup. */
  readonly takesEmpty?: boolean
}

interface OlderLayer extends Layer {
  readonly origin: EnvironmentStatus['origin']
}

/**
 * Maximum number of flags that are changed one by one. A larger change replaces the whole document in slices; clients
 * must then fetch the whole document instead of a delta.
 */
const MAX_SINGLE_CHANGES = 200
const UNKNOWN_CHANGE: ReadonlyMap<string, readonly string[]> = new Map()

/**
 * Merges the flags that all tokens of an environment have fetched. Replies for different tokens are processed one after
 * the other. Builds the merged state while the current state remains in use, and then switches to it. Flags from a
 * removed token or from an earlier process remain until all current tokens have received a reply.
 */
export class MergedEnvironment {
  readonly #name: string
  readonly #deps: MergedEnvironmentDeps
  readonly #document: EnvironmentDocument
  readonly #revisions: Revisions
  readonly #touches = new TouchLog()
  readonly #sources = new Map<string, ScopeSource>()
  readonly #upstreamNumbers = new UpstreamNumbers()
  /** Flags fetched with removed tokens or by an earlier process, newest first. */
  #older: readonly OlderLayer[] = []
  #turn = 0
  #isDirty = false
  #isClosed = false
  #working: Promise<void> | undefined

  constructor(name: string, deps: MergedEnvironmentDeps) {
    this.#name = name
    this.#deps = deps
    this.#document = new EnvironmentDocument({ afterVersion: deps.afterVersion })
    this.#revisions = new Revisions(deps.random)
  }

  get state(): DocumentState | undefined {
    return this.#document.state
  }

  /** Number of tokens that fetch this environment. */
  get tokens(): number {
    return this.#sources.size
  }

  /** True if fetching has failed for every token and has never succeeded for any of them. */
  get isFailing(): boolean {
    return [...this.#sources.values()].every(
      ({ layer, status }) => layer === undefined && status.lastError !== undefined,
    )
  }

  get status(): EnvironmentStatus {
    const statuses = [...this.#sources.values()].map(({ status }) => status)
    const synced = statuses.map(({ syncedAtMs }) => syncedAtMs)
    const isSynced = this.#older.length === 0 && synced.length > 0 && !synced.includes(undefined)
    const errors = statuses.flatMap(({ lastError }) => lastError ?? [])
    return {
      environment: this.#name,
      features: this.state?.flags.length ?? 0,
      origin: this.#older.find(({ origin }) => origin !== 'upstream')?.origin ?? 'upstream',
      syncedAtMs: isSynced ? Math.min(...synced.map(Number)) : undefined,
      failures: statuses.reduce((sum, { failures }) => sum + failures, 0),
      lastError: errors.sort((a, b) => b.atMs - a.atMs)[0],
    }
  }

  /** Replaces the set of tokens that fetch this environment. */
  fetchWith(tokens: readonly FetchingToken[]): void {
    const wanted = new Map(tokens.map((token) => [token.id, token]))
    for (const [id, source] of this.#sources) if (!wanted.has(id)) this.#drop(id, source)
    for (const { id, text, projects } of wanted.values()) {
      const known = this.#sources.get(id)
      if (known !== undefined) known.setProjects(projects)
      else {
        const { clock, logger, takesEmpty = false } = this.#deps
        const nextTurn = () => {
          this.#turn += 1
          return this.#turn
        }
        const came = () => void this.#ask()
        const deps = { source: this.#deps.createSource(text), clock, logger, takesEmpty, nextTurn, came }
        this.#sources.set(id, new ScopeSource(projects, deps))
      }
    }
    void this.#ask()
  }

  /** Uses the document that an earlier process stored, unless every token has already received a reply. */
  async restore(kept: FeatureDocument): Promise<void> {
    if (this.#isClosed || this.#hasAnswers()) return
    const document = await runInSlices(new DocumentFilter(this.#deps).accept(kept, 'backup'))
    if (document === undefined) return
    this.#older = [...this.#older, { document, projects: ['*'], revision: undefined, turn: 0, origin: 'backup' }]
    await this.#ask()
  }

  /** Returns the changes after a revision, or undefined if the changes are no longer known. */
  touchedAfter({ epoch, id }: DocumentRevision): TouchedItems | undefined {
    return this.state?.revision.epoch === epoch ? this.#touches.after(id) : undefined
  }

  /**
   * Returns the upstream revision that a recent revision was merged from (the lowest, if there are several); undefined
   * if it is unknown.
   */
  findUpstreamNumber(revision: DocumentRevision): number | undefined {
    return this.#upstreamNumbers.find(revision)
  }

  /** Resolves once everything that has been received so far is in use. Never rejects. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  refresh(): void {
    for (const source of this.#sources.values()) source.refresh()
  }

  /** Stops fetching and removes all flags. Subscribers are notified of the removal. Never rejects. */
  async clear(): Promise<void> {
    await this.close()
    if (this.state === undefined) return
    await this.#put({ features: new Map(), segments: new Map() }, undefined)
  }

  /** Stops fetching flags; the flags already received remain. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#sources.values()].map((source) => source.stop()))
    await this.settled()
  }

  #drop(id: string, source: ScopeSource): void {
    this.#sources.delete(id)
    const { layer } = source
    if (layer !== undefined) this.#older = [{ ...layer, origin: 'upstream' }, ...this.#older]
    source.stop().catch((error: unknown) => this.#deps.logger.error('A flag source did not stop', error))
  }

  #hasAnswers(): boolean {
    return this.#sources.size > 0 && [...this.#sources.values()].every(({ layer }) => layer !== undefined)
  }

  #ask(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#isDirty = true
    this.#working ??= this.#work()
    return this.#working
  }

  /** Continues to merge until all replies are processed. Never rejects. */
  async #work(): Promise<void> {
    while (this.#isDirty && !this.#isClosed) {
      this.#isDirty = false
      try {
        await this.#renew()
      } catch (error) {
        this.#deps.logger.error(`The flags of the environment "${this.#name}" stay unchanged`, error)
      }
    }
    this.#working = undefined
  }

  async #renew(): Promise<void> {
    for (const source of [...this.#sources.values()]) await source.take()
    if (this.#hasAnswers()) this.#older = []
    const sources = [...this.#sources.values()]
    const layers = sources.flatMap(({ layer }) => layer ?? [])
    if (layers.length + this.#older.length === 0) return
    const [first, ...more] = sources
    const isOne = more.length === 0 && this.#older.length === 0
    const named = isOne ? first?.revision : undefined
    const merged = await runInSlices(merge(layers, this.#older))
    if (!this.#isClosed) await this.#put(merged, named)
  }

  async #put(merged: MergedContent, named: Parameters<Revisions['next']>[0]): Promise<void> {
    const { state } = this
    const change = await runInSlices(buildChange(state, merged))
    const hasChanged = state === undefined || change.flags.size > 0 || change.segments
    const revision = this.#revisions.next(named, hasChanged)
    const numbers = [...this.#sources.values()].map(({ upstreamNumber }) => upstreamNumber)
    if (!hasChanged) this.#upstreamNumbers.add(state.revision, numbers)
    if (revision === undefined) return
    this.#upstreamNumbers.add(revision, numbers)
    await this.#replace(merged, change, revision)
    this.#note(state, change, revision)
    if (this.state === undefined || !hasChanged) return
    this.#deps.debug?.(
      `The environment "${this.#name}" is at revision ${revision.id}, ${change.flags.size} flags changed`,
    )
    await this.#deps.changed(this.state)
  }

  async #replace(merged: MergedContent, change: ContentChange, revision: DocumentRevision): Promise<void> {
    const flagOf = (feature: MergedContent['features'] extends ReadonlyMap<string, infer F> ? F : never) => ({
      feature,
      tags: findDocumentTags(feature),
    })
    if (this.state !== undefined && change.flags.size <= MAX_SINGLE_CHANGES) {
      const changed = [...change.flags].map(([name, feature]) => [name, feature && flagOf(feature)] as const)
      this.#document.apply(new Map(changed), change.segments ? merged.segments.values() : undefined, revision)
      return
    }
    const flags = [...merged.features.values()].map(flagOf)
    await runInSlices(this.#document.replaceInSteps(flags, merged.segments.values(), revision))
  }

  #note(before: DocumentState | undefined, change: ContentChange, { epoch, id }: DocumentRevision): void {
    if (before?.revision.epoch !== epoch) {
      this.#touches.reset()
      this.#touches.begin(id)
      return
    }
    const hasRead = this.#touches.beginRead()
    const isLarge = change.flags.size > MAX_SINGLE_CHANGES
    const reach = isLarge ? 'all' : change.segments ? 'segments' : 'flags'
    this.#touches.add([{ id, flags: isLarge ? UNKNOWN_CHANGE : change.projects, scope: reach }])
    hasRead()
  }
}
