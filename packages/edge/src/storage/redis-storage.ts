import { createHash } from 'node:crypto'
import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { splitList } from '@burgee/kit/split-list'
import { withTimeout } from '@burgee/kit/with-timeout'
import { findProfile } from '@burgee/protocol/evaluation-profile'
import { type FeatureDocument, parseFeatureDocument } from '@burgee/serving/document/feature-document'
import { describeError } from '@burgee/serving/upstream/error-reason'
import type { EdgeSnapshot, EdgeStorage, SnapshotToken } from './edge-storage.ts'
import { readForeignState } from './foreign-state.ts'
import { connectRedis, type RedisAddress, type RedisConnection } from './redis-connection.ts'
import { readTokens } from './snapshot-tokens.ts'

/** Dependencies of the storage in Redis. */
export interface RedisStorageDeps {
  readonly address: RedisAddress
  /** Time limit of one read or one write, in milliseconds. */
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly monotonic: MonotonicClock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly logger: Logger
}

/** Name of the Redis hash that maps the SHA-256 of each token to its stored form. */
const TOKENS = 'burgee-edge-tokens'
/** Name of the Redis hash that maps each environment to its flags. */
const FEATURES = 'burgee-edge-features'
/** Name of the Redis hash whose only field contains the evaluation profile that the upstream announces. */
const PROFILE = 'burgee-edge-profile'
/** Keys of an Unleash Edge that ran here before; Burgee never writes them. */
const FOREIGN = { tokens: 'unleash-tokens', features: 'unleash-features' }
const MAX_FIELDS = 500
const REWRITE_ALL_MS = 3_600_000

/**
 * Stores tokens, and the flags of each environment, as fields of two hashes, so that nodes can share a Redis. Each node
 * writes only fields that have changed, and removes only fields that it has stored itself. If nothing is stored yet,
 * reads the state of an Unleash Edge.
 */
export class RedisStorage implements EdgeStorage {
  readonly #deps: RedisStorageDeps
  readonly #connection: RedisConnection
  /** Field values that this process has written or loaded. */
  readonly #tokens = new Map<string, unknown>()
  readonly #features = new Map<string, unknown>()
  readonly #profile = new Map<string, unknown>()
  #wroteAllAtMs: number

  /** Creates the storage. Throws an Error that names the option if the address is malformed. */
  constructor(deps: RedisStorageDeps) {
    this.#deps = deps
    this.#connection = connectRedis(deps.address, deps)
    this.#wroteAllAtMs = deps.monotonic()
  }

  async load(): Promise<EdgeSnapshot | undefined> {
    const { readTimeoutMs } = this.#deps
    const client = await this.#connection.client(readTimeoutMs)
    const tokens = await withTimeout(readTimeoutMs, client.hGetAll(TOKENS))
    const environments = await withTimeout(readTimeoutMs, client.hKeys(FEATURES))
    if (Object.keys(tokens).length === 0 && environments.length === 0) return this.#foreign()
    const documents = new Map<string, FeatureDocument>()
    // one environment at a time, because its flags can take several megabytes
    for (const environment of environments) {
      const text = await withTimeout(readTimeoutMs, client.hGet(FEATURES, environment))
      const use = () => documents.set(environment, parseFeatureDocument(JSON.parse(text ?? '')))
      this.#take(`the flags of the environment "${environment}"`, use)
    }
    const known: unknown[] = []
    for (const text of Object.values(tokens)) this.#take('a token', () => known.push(JSON.parse(text)))
    const usable = readTokens(known)
    for (const token of usable) this.#tokens.set(toField(token), JSON.stringify(token))
    const profile = findProfile(await withTimeout(readTimeoutMs, client.hGet(PROFILE, 'announced')))
    return { tokens: usable, documents, profile }
  }

  async save({ tokens, documents, profile }: EdgeSnapshot): Promise<void> {
    this.#forgetSometimes()
    const texts = new Map(tokens.map((token) => [toField(token), JSON.stringify(token)]))
    await this.#write(TOKENS, this.#tokens, texts, (text) => text)
    const announced = new Map(profile === undefined ? [] : [['announced', profile] as const])
    await this.#write(PROFILE, this.#profile, announced, (name) => name)
    await this.#write(FEATURES, this.#features, documents, (document) => JSON.stringify(document))
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  async #write<Value>(
    key: string,
    known: Map<string, unknown>,
    wanted: ReadonlyMap<string, Value>,
    textOf: (value: Value) => string,
  ): Promise<void> {
    const { writeTimeoutMs } = this.#deps
    const client = await this.#connection.client(writeTimeoutMs)
    const changed = [...wanted].filter(([field, value]) => known.get(field) !== value)
    const step = key === TOKENS ? MAX_FIELDS : 1
    for (const some of splitList(changed, step)) {
      const fields = Object.fromEntries(some.map(([field, value]) => [field, textOf(value)]))
      await withTimeout(writeTimeoutMs, client.hSet(key, fields))
      for (const [field, value] of some) known.set(field, value)
    }
    const gone = [...known.keys()].filter((field) => !wanted.has(field))
    for (const some of splitList(gone, MAX_FIELDS)) {
      await withTimeout(writeTimeoutMs, client.hDel(key, some))
      for (const field of some) known.delete(field)
    }
  }

  /**
   * Once an hour, marks all fields as unwritten, so that they are written again. Another node that shares the Redis may
   * have removed fields that the other node no longer needs.
   */
  #forgetSometimes(): void {
    const now = this.#deps.monotonic()
    if (now - this.#wroteAllAtMs < REWRITE_ALL_MS) return
    this.#wroteAllAtMs = now
    for (const known of [this.#tokens, this.#features, this.#profile])
      for (const field of known.keys()) known.set(field, undefined)
  }

  async #foreign(): Promise<EdgeSnapshot | undefined> {
    const { readTimeoutMs, logger } = this.#deps
    const client = await this.#connection.client(readTimeoutMs)
    const get = async (key: string) => (await withTimeout(readTimeoutMs, client.get(key))) ?? undefined
    return readForeignState({ tokens: await get(FOREIGN.tokens), features: await get(FOREIGN.features) }, logger)
  }

  #take(what: string, use: () => void): void {
    try {
      use()
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is not JSON' : describeError(error)
      this.#deps.logger.warn(`Cannot use the ${what} in Redis: ${why}`)
    }
  }
}

function toField({ token }: SnapshotToken): string {
  return createHash('sha256').update(token).digest('hex')
}
