import { runInSlices } from '@burgee/kit/slices'
import type { Feature } from '@burgee/protocol/feature'
import { DocumentFilter, type DocumentFilterDeps } from '@burgee/serving/document/document-filter'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Origin } from '@burgee/serving/document/origin'
import type { TaggedRevision } from '@burgee/serving/document/revision-tag'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import type { Layer } from './merging.ts'

/** Status of fetching flags with one token. Times are in milliseconds since 1970. */
export interface SourceStatus {
  readonly syncedAtMs: number | undefined
  readonly failures: number
  /** Last failure since the last success; undefined if nothing has failed since then. */
  readonly lastError: { readonly message: string; readonly atMs: number } | undefined
}

/** Dependencies of a scope source. */
export interface ScopeSourceDeps extends DocumentFilterDeps {
  readonly source: ConfigurationSource
  readonly clock: () => number
  /** Returns a sequence number higher than any earlier one. */
  readonly nextTurn: () => number
  /** Called when a reply has arrived, which `take` can then process. */
  readonly came: () => void
}

/** Latest reply that `take` has not yet processed. */
interface PendingReply {
  readonly document: FeatureDocument
  readonly origin: Origin
  readonly revision: TaggedRevision | undefined
  readonly turn: number
}

/** Flags that the upstream returns for one token. */
export class ScopeSource {
  #projects: readonly string[]
  readonly #deps: ScopeSourceDeps
  readonly #intake: DocumentFilter
  /**
   * Copies of flags to which a missing project was added. These copies are cached, so that a flag that has not changed
   * remains the same object.
   */
  readonly #filled = new WeakMap<Feature, Feature>()
  #waiting: PendingReply | undefined
  #taken: Omit<Layer, 'projects'> | undefined
  #layer: Layer | undefined
  #isVerbatim = false
  #status: SourceStatus = { syncedAtMs: undefined, failures: 0, lastError: undefined }

  constructor(projects: readonly string[], deps: ScopeSourceDeps) {
    this.#projects = projects
    this.#deps = deps
    this.#intake = new DocumentFilter(deps)
    deps.source.start({
      accept: (document, origin = 'upstream', revision = undefined) => {
        this.#waiting = { document, origin, revision, turn: deps.nextTurn() }
        deps.came()
      },
      confirm: () => this.#synced(),
      fail: ({ message }) => {
        const lastError = { message, atMs: deps.clock() }
        this.#status = { ...this.#status, failures: this.#status.failures + 1, lastError }
      },
    })
  }

  /** Accepted flags; undefined before the first `take`. */
  get layer(): Layer | undefined {
    return this.#layer
  }

  /**
   * Upstream revision of the layer. Undefined if the revision is unknown, or if the layer differs from the upstream's
   * reply.
   */
  get revision(): TaggedRevision | undefined {
    return this.#isVerbatim ? this.#taken?.revision : undefined
  }

  /** Upstream revision of the layer, even if the layer differs from the reply; undefined if the revision is unknown. */
  get upstreamNumber(): number | undefined {
    return this.#taken?.revision?.number
  }

  get status(): SourceStatus {
    return this.#status
  }

  /** Sets the projects to which the token gives access. */
  setProjects(projects: readonly string[]): void {
    if (projects.join() === this.#projects.join()) return
    this.#projects = projects
    this.#makeLayer()
  }

  /** Processes the latest reply, if one has arrived. */
  async take(): Promise<void> {
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    const { revision, turn } = waiting
    const document = await runInSlices(this.#intake.accept(waiting.document, waiting.origin))
    if (document === undefined) return
    this.#isVerbatim = isSame(document, waiting.document)
    this.#taken = { document, revision, turn }
    this.#makeLayer()
    this.#synced()
  }

  refresh(): void {
    this.#deps.source.refresh?.()
  }

  stop(): Promise<void> {
    return this.#deps.source.stop()
  }

  #makeLayer(): void {
    if (this.#taken === undefined) return
    const { document } = this.#taken
    const features = this.#withProjects(document.features)
    this.#layer = { ...this.#taken, document: { ...document, features }, projects: this.#projects }
  }

  #synced(): void {
    this.#status = { ...this.#status, syncedAtMs: this.#deps.clock(), lastError: undefined }
  }

  /**
   * Adds the project to flags that lack it. A flag without a project would be visible to all tokens, including tokens
   * of other projects.
   */
  #withProjects(features: readonly Feature[]): readonly Feature[] {
    if (this.#projects.includes('*')) return features
    const project = this.#projects.length === 1 ? this.#projects[0] : 'default'
    return features.map((feature) => {
      if (typeof feature.project === 'string' && feature.project !== '') return feature
      const known = this.#filled.get(feature)
      if (known !== undefined && known.project === project) return known
      const filled = { ...feature, project: project ?? 'default' }
      this.#filled.set(feature, filled)
      return filled
    })
  }
}

function isSame(taken: FeatureDocument, sent: FeatureDocument): boolean {
  return (
    taken.features.length === sent.features.length &&
    taken.segments.length === sent.segments.length &&
    taken.features.every((feature, index) => feature === sent.features[index]) &&
    taken.segments.every((segment, index) => segment === sent.segments[index])
  )
}
