import { randomBytes } from 'node:crypto'
import { type Environments, EnvironmentUnavailable } from '@burgee/edge/environments/environments'
import type { Logger } from '@burgee/kit/log/logger'
import type { Feature, Segment } from '@burgee/protocol/feature'
import { type ChangeListener, DocumentListeners } from '@burgee/serving/document/document-listeners'
import {
  type DocumentRevision,
  type DocumentState,
  EnvironmentDocument,
} from '@burgee/serving/document/environment-document'
import { formatRunEnvironment, getRunIdOfEnvironment, isRunEnvironment } from '@burgee/serving/document/run-environment'
import { type OverridingRun, RunStates } from '@burgee/serving/test-runs/run-states'

/** Run with the environment that it overrides. */
export interface EnvironmentRun extends OverridingRun {
  readonly environment: string
}

/** Flags of the one environment of the fake server, and of its test runs. */
export class FakeEnvironments implements Environments {
  readonly #environment: string
  readonly #document = new EnvironmentDocument()
  readonly #states = new RunStates()
  readonly #runs = new Map<string, EnvironmentRun>()
  readonly #listeners: DocumentListeners
  // a restarted fake server must not confirm flags of its predecessor
  readonly #epoch = randomBytes(8).toString('hex')
  #revision = 0

  constructor(environment: string, logger: Logger) {
    this.#environment = environment
    this.#listeners = new DocumentListeners(logger)
  }

  /** Flags without the overrides of runs. */
  get base(): DocumentState {
    const { state } = this.#document
    if (state === undefined) throw new EnvironmentUnavailable(this.#environment, 'the fake server has not started')
    return state
  }

  /** Replaces all flags and segments. Resolves once all listeners have been called. */
  async replace(features: readonly Feature[], segments: readonly Segment[]): Promise<void> {
    this.#revision += 1
    const flags = features.map((feature) => ({ feature, tags: [] }))
    this.#document.replace(flags, segments, { epoch: this.#epoch, id: this.#revision })
    await this.#listeners.notify(this.#environment, this.base)
  }

  /** Adds a run, or replaces its overrides. */
  setRun(run: EnvironmentRun): void {
    this.#runs.set(run.id, run)
  }

  removeRun({ id }: Pick<EnvironmentRun, 'id'>): void {
    this.#runs.delete(id)
  }

  /** Calls all listeners after a change of a run. */
  async notifyRun(run: EnvironmentRun): Promise<void> {
    await this.#listeners.notify(formatRunEnvironment(run.environment, run.id), this.#states.get(run, this.base))
  }

  get(environment: string): DocumentState {
    const state = this.peek(environment)
    if (state === undefined) throw new EnvironmentUnavailable(environment, 'the test run has ended')
    return state
  }

  peek(environment: string): DocumentState | undefined {
    if (!isRunEnvironment(environment)) return this.#document.state
    const run = this.#runs.get(getRunIdOfEnvironment(environment))
    return run && this.#states.get(run, this.base)
  }

  has(environment: string): boolean {
    return this.peek(environment) !== undefined
  }

  completeUpTo(environment: string): DocumentRevision | undefined {
    return this.peek(environment)?.revision
  }

  async settled(): Promise<void> {}

  /** Returns undefined, so that a changed document is sent in full. */
  findTouchedSince(): undefined {
    return undefined
  }

  subscribe(listener: ChangeListener): () => void {
    return this.#listeners.subscribe(listener)
  }

  listStatuses(): ReturnType<Environments['listStatuses']> {
    const features = this.base.flags.length
    const status = { syncedAtMs: undefined, failures: 0, lastError: undefined }
    return [{ environment: this.#environment, features, origin: 'bootstrap', ...status }]
  }

  findUpstreamNumber(): undefined {
    return undefined
  }

  documents(): ReturnType<Environments['documents']> {
    return new Map()
  }

  async restore(): Promise<void> {}

  refresh(): void {}

  async close(): Promise<void> {}
}
