import { runAtOnce } from '@burgee/kit/slices'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Intake } from '@burgee/serving/document/intake'
import type { Origin } from '@burgee/serving/document/origin'
import type { ProfileInUse } from '@burgee/serving/upstream/announced-profile'
import type { ProxyNews, SentConfiguration } from './messages.ts'

/** Sends the current configuration to all workers of a proxy, including workers that start later. */
export class ConfigurationNews {
  readonly #intake: Intake
  readonly #tell: (news: ProxyNews) => void
  readonly #profile: ProfileInUse
  #current: (ProxyNews & { readonly kind: 'configuration' }) | undefined

  /** @param intake decides which part of a configuration workers get */
  constructor(intake: Intake, profile: ProfileInUse, tell: (news: ProxyNews) => void) {
    this.#intake = intake
    this.#profile = profile
    this.#tell = tell
    profile.follow(() => this.#tellProfile())
  }

  /** Initial messages for a new worker. */
  get news(): readonly ProxyNews[] {
    return this.#current === undefined ? [] : [this.#current]
  }

  /**
   * Sends the accepted part of a configuration to the workers and returns that part. Returns undefined if the
   * configuration is not used.
   */
  replace(next: FeatureDocument, origin: Origin): FeatureDocument | undefined {
    const document = runAtOnce(this.#intake.take(next, origin))
    if (document === undefined) return undefined
    this.#current = { kind: 'configuration', configuration: this.#sent(JSON.stringify(document), origin) }
    this.#tell(this.#current)
    return document
  }

  /** Resends the configuration with the current evaluation profile. */
  #tellProfile(): void {
    if (this.#current === undefined) return
    const { text, origin } = this.#current.configuration
    this.#current = { kind: 'configuration', configuration: this.#sent(text, origin) }
    this.#tell(this.#current)
  }

  #sent(text: string, origin: Origin): SentConfiguration {
    return { text, origin, profile: this.#profile.current }
  }

  /** Reports that the upstream has confirmed the current configuration. */
  confirm(): void {
    this.#tell({ kind: 'confirmed' })
  }

  /** Reports that a request to the upstream failed. */
  fail(error: Error): void {
    this.#tell({ kind: 'failed', message: error.message })
  }
}
