import type { ProxyOptions } from './options.ts'

/** The secrets that may be replaced while the proxy runs. */
export type SecretOptions = Pick<ProxyOptions, 'flagApiToken' | 'clientKeys' | 'expServerSideSdkConfig.tokens'>

/**
 * Holds the secrets in use; whoever needs one asks here each time. They are read (also from `…_FILE`) with all other
 * options, by `loadOptions`.
 */
export class CurrentSecrets {
  #current: SecretOptions
  readonly #followers: (() => void)[] = []

  constructor(initial: SecretOptions) {
    this.#current = initial
  }

  get current(): SecretOptions {
    return this.#current
  }

  /** Puts all of them in place at once: requests see the old ones or the new ones. */
  replace(next: SecretOptions): void {
    this.#current = next
    for (const follower of this.#followers) follower()
  }

  /** Calls where others are in place, for as long as the process lives. */
  follow(replaced: () => void): void {
    this.#followers.push(replaced)
  }
}
