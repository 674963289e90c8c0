import { runAtOnce } from '@burgee/kit/slices'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Intake } from '@burgee/serving/document/intake'
import type { Origin } from '@burgee/serving/document/origin'
import type { ProfileInUse } from '@burgee/serving/upstream/announced-profile'
import type { ProxyNews, SentConfiguration } from './messages.ts'

/** Hands the current configuration to the workers of a proxy, and to those that begin later. */
export class ConfigurationNews {
  readonly #intake: Intake
  readonly #tell: (news: ProxyNews) => void
  readonly #profile: ProfileInUse
  #current: (ProxyNews & { readonly kind: 'configuration' }) | undefined

  /** @param intake decides what workers get of a configuration */
  constructor(intake: Intake, profile: ProfileInUse, tell: (news: ProxyNews) => void) {
    this.#intake = intake
    this.#profile = profile
    this.#tell = tell
    profile.follow(() => this.#tellProfile())
  }

  /** What a worker that begins now is to know. */
  get news(): readonly ProxyNews[] {
    return this.#current === undefined ? [] : [this.#current]
  }

  /** Passes a configuration on, as far as it is taken, and answers what that is; undefined where it is not used. */
  replace(next: FeatureDocument, origin: Origin): FeatureDocument | undefined {
    const document = runAtOnce(this.#intake.take(next, origin))
    if (document === undefined) return undefined
    this.#current = { kind: 'configuration', configuration: this.#sent(JSON.stringify(document), origin) }
    this.#tell(this.#current)
    return document
  }

  /** Workers decide what they have by the profile that is in use now. */
  #tellProfile(): void {
    if (this.#current === undefined) return
    const { text, origin } = this.#current.configuration
    this.#current = { kind: 'configuration', configuration: this.#sent(text, origin) }
    this.#tell(this.#current)
  }

  #sent(text: string, origin: Origin): SentConfiguration {
    return { text, origin, profile: this.#profile.current }
  }

  /** The upstream has confirmed the configuration in use. */
  confirm(): void {
    this.#tell({ kind: 'confirmed' })
  }

  /** An attempt to reach the upstream failed. */
  fail(error: Error): void {
    this.#tell({ kind: 'failed', message: error.message })
  }
}
