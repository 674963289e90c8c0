import { runSync } from '@burgee/kit/slices'
import type { DocumentFilter } from '@burgee/serving/document/document-filter'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Origin } from '@burgee/serving/document/origin'
import type { ProfileInUse } from '@burgee/serving/upstream/announced-profile'
import type { SentConfiguration, WorkerUpdate } from './proxy-messages.ts'

/** Sends the current configuration to all workers of a proxy, including workers that start later. */
export class ConfigurationPublisher {
  readonly #filter: DocumentFilter
  readonly #send: (news: WorkerUpdate) => void
  readonly #profile: ProfileInUse
  #current: (WorkerUpdate & { readonly kind: 'configuration' }) | undefined

  /** @param intake determines the part of a configuration that is sent to workers */
  constructor(intake: DocumentFilter, profile: ProfileInUse, tell: (news: WorkerUpdate) => void) {
    this.#filter = intake
    this.#profile = profile
    this.#send = tell
    profile.subscribe(() => this.#resendProfile())
  }

  /** Returns the messages that a new worker must receive first. */
  get initialUpdates(): readonly WorkerUpdate[] {
    return this.#current === undefined ? [] : [this.#current]
  }

  /**
   * Sends the accepted part of a configuration to the workers and returns that part. Returns undefined if the
   * configuration is not used.
   */
  replace(next: FeatureDocument, origin: Origin): FeatureDocument | undefined {
    const document = runSync(this.#filter.accept(next, origin))
    if (document === undefined) return undefined
    this.#current = { kind: 'configuration', configuration: this.#toSent(JSON.stringify(document), origin) }
    this.#send(this.#current)
    return document
  }

  /** Resends the configuration with the current evaluation profile. */
  #resendProfile(): void {
    if (this.#current === undefined) return
    const { text, origin } = this.#current.configuration
    this.#current = { kind: 'configuration', configuration: this.#toSent(text, origin) }
    this.#send(this.#current)
  }

  #toSent(text: string, origin: Origin): SentConfiguration {
    return { text, origin, profile: this.#profile.current }
  }

  /** Reports that the upstream has confirmed the current configuration. */
  confirm(): void {
    this.#send({ kind: 'confirmed' })
  }

  /** Reports that a request to the upstream failed. */
  fail(error: Error): void {
    this.#send({ kind: 'failed', message: error.message })
  }
}
