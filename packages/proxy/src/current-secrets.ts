import type { ProxyOptions } from './options.ts'

/** The secrets that may be replaced while the proxy runs. */
export type SecretOptions = Pick<ProxyOptions, 'flagApiToken' | 'clientKeys' | 'expServerSideSdkConfig.tokens'>

/** Holds the current secrets; whoever needs one asks here each time. */
export class CurrentSecrets {
  #current: SecretOptions

  constructor(initial: SecretOptions) {
    this.#current = initial
  }

  get current(): SecretOptions {
    return this.#current
  }

  /** Puts all of them in place at once: requests see the old ones or the new ones. */
  replace(next: SecretOptions): void {
    this.#current = next
  }
}
