import type { ProxyOptions } from './options.ts'

/** Secrets of callers that the proxy accepts. */
export type AcceptedSecrets = Pick<ProxyOptions, 'clientKeys' | 'expServerSideSdkConfig.tokens'>

/** Secrets that may be rotated while the proxy runs. */
export type SecretOptions = AcceptedSecrets & Pick<ProxyOptions, 'flagApiToken'>

/**
 * Current secrets. Read `current` at each use, because secrets may be replaced. `loadOptions` loads the first secrets
 * (also from `…_FILE`) together with all other options.
 */
export class CurrentSecrets<T extends AcceptedSecrets = SecretOptions> {
  #current: T
  readonly #followers: (() => void)[] = []

  constructor(initial: T) {
    this.#current = initial
  }

  get current(): T {
    return this.#current
  }

  /** Replaces all secrets at once. A request uses either only old secrets or only new secrets. */
  replace(next: T): void {
    this.#current = next
    for (const follower of this.#followers) follower()
  }

  /** Calls `replaced` after each replacement, for the lifetime of the process. */
  follow(replaced: () => void): void {
    this.#followers.push(replaced)
  }
}
