import type { ProxyOptions } from './options.ts'

/** Secrets with which callers authenticate to the proxy. */
export type AcceptedSecrets = Pick<ProxyOptions, 'clientKeys' | 'expServerSideSdkConfig.tokens'>

/** Secrets that may be rotated while the proxy runs. */
export type SecretOptions = AcceptedSecrets & Pick<ProxyOptions, 'flagApiToken'>

/**
 * Current secrets. Callers must read `current` each time they use it, because secrets may be replaced. `loadOptions`
 * loads the first secrets together with all other options; a secret may come from a file (`…_FILE`).
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

  /** Replaces all secrets at once. No request sees a mixture of old and new secrets. */
  replace(next: T): void {
    this.#current = next
    for (const follower of this.#followers) follower()
  }

  /** Calls `replaced` after each replacement, until the process ends. */
  follow(replaced: () => void): void {
    this.#followers.push(replaced)
  }
}
