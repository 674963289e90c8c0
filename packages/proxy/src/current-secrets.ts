import type { ProxyOptions } from './options.ts'

/** Secrets that may be rotated while the proxy runs. */
export type SecretOptions = Pick<ProxyOptions, 'flagApiToken' | 'clientKeys' | 'expServerSideSdkConfig.tokens'>

/**
 * Holds the current secrets. Read `current` at each use, because secrets may be replaced. `loadOptions` loads them
 * (also from `…_FILE`) with all other options.
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

  /** Replaces all secrets at once. A request sees either only old or only new secrets. */
  replace(next: SecretOptions): void {
    this.#current = next
    for (const follower of this.#followers) follower()
  }

  /** Calls `replaced` after each replacement, for the lifetime of the process. */
  follow(replaced: () => void): void {
    this.#followers.push(replaced)
  }
}
