import { runInSlices } from '@burgee/kit/slices'
import type { Feature } from '@burgee/protocol/feature'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { Intake, type IntakeDeps } from '@burgee/serving/document/intake'
import type { Origin } from '@burgee/serving/document/origin'
import type { TaggedRevision } from '@burgee/serving/document/revision-tag'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import type { Layer } from './merging.ts'

/** How the fetching with one token goes. Times are in milliseconds since 1970. */
export interface SourceStatus {
  readonly syncedAtMs: number | undefined
  readonly failures: number
  /** The last failure since the last success. */
  readonly lastError: { readonly message: string; readonly atMs: number } | undefined
}

/** What the source of one token's flags needs. */
export interface ScopeSourceDeps extends IntakeDeps {
  readonly source: ConfigurationSource
  readonly clock: () => number
  /** A number greater than those before. */
  readonly nextTurn: () => number
  /** Something has come that `take` would take. */
  readonly came: () => void
}

/** What came last, until it is taken. */
interface Waiting {
  readonly document: FeatureDocument
  readonly origin: Origin
  readonly revision: TaggedRevision | undefined
  readonly turn: number
}

/** The flags that one token is for, as far as they are taken of what the upstream sends. */
export class ScopeSource {
  #projects: readonly string[]
  readonly #deps: ScopeSourceDeps
  readonly #intake: Intake
  /** Flags with the project that they did not name, so that they stay the same objects. */
  readonly #filled = new WeakMap<Feature, Feature>()
  #waiting: Waiting | undefined
  #taken: Omit<Layer, 'projects'> | undefined
  #layer: Layer | undefined
  #isVerbatim = false
  #status: SourceStatus = { syncedAtMs: undefined, failures: 0, lastError: undefined }

  constructor(projects: readonly string[], deps: ScopeSourceDeps) {
    this.#projects = projects
    this.#deps = deps
    this.#intake = new Intake(deps)
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

  /** What was taken; undefined before the first time. */
  get layer(): Layer | undefined {
    return this.#layer
  }

  /** Which state of the upstream the layer is; undefined where that is not said, or where not all was taken as it came. */
  get revision(): TaggedRevision | undefined {
    return this.#isVerbatim ? this.#taken?.revision : undefined
  }

  get status(): SourceStatus {
    return this.#status
  }

  /** Its token is for these projects from now on. */
  isFor(projects: readonly string[]): void {
    if (projects.join() === this.#projects.join()) return
    this.#projects = projects
    this.#makeLayer()
  }

  /** Takes what came last, if anything did. */
  async take(): Promise<void> {
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    const { revision, turn } = waiting
    const document = await runInSlices(this.#intake.take(waiting.document, waiting.origin))
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

  /** A flag of no project would be everybody's, also of those whose tokens are for other projects than this one. */
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
