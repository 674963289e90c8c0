/**
 * Stores the last good configuration in Redis for the next start. The client comes from the npm package `redis`, or is
 * any object with `get(key)` and `set(key, text)`.
 */
export class RedisStorage {
  #client
  #prefix

  constructor(client, { prefix = 'burgee:features:' } = {}) {
    this.#client = client
    this.#prefix = prefix
  }

  /** Returns the value stored under the proxy's app name; undefined if there is none. */
  async get(appName) {
    const text = await this.#client.get(this.#prefix + appName)
    return text === null ? undefined : JSON.parse(text)
  }

  async set(appName, features) {
    await this.#client.set(this.#prefix + appName, JSON.stringify(features))
  }
}
