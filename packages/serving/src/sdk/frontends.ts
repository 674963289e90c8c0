import type { CacheBounds } from '@burgee/kit/bounded-cache'
import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { CacheSeries, CacheSize } from '@burgee/kit/series/cache-series'
import { EnvironmentCaches } from '../document/environment-caches.ts'
import type { EnvironmentDocuments } from '../document/environment-documents.ts'
import { getCachedReplies, Repository, type RepositoryState } from '../document/repository.ts'
import { isAffectedBy, isRunEnvironment } from '../document/run-environment.ts'
import type { FollowedFlags } from '../ofrep/change-streams.ts'
import type { ProfileInUse } from '../upstream/announced-profile.ts'
import type { Downloads } from './downloads.ts'

/** Scope that determines which flags a frontend receives. */
export interface FrontendScope {
  readonly environment: string
  /** Project ids; `['*']` means all projects. */
  readonly projects: readonly string[]
}

/**
 * Compiled flags for frontends. For each scope, the flags are compiled once per change, from the same flags that
 * server-side SDKs download.
 */
export interface Frontends {
  /**
   * Returns the compiled flags of a scope. Returns a promise only if no compiled flags are ready: at the first request,
   * and at the first request after a change that was not compiled in advance.
   */
  stateFor(scope: FrontendScope): RepositoryState | Promise<RepositoryState>
  /**
   * Returns the flags of a scope for a caller that follows their changes. Call `stateFor` first. The flags of a scope
   * remain up to date while a caller follows the scope.
   */
  getFlags(scope: FrontendScope): FollowedFlags
  /** Memory used by flag documents and by cached responses. */
  getCacheSizes(): { readonly documents: CacheSize; readonly replies: CacheSize }
}

/** Thrown if the configuration of a scope could not be loaded for the first time. Callers get 503. */
export class FrontendsUnavailable extends Error {
  constructor() {
    super('There is no configuration for front ends yet')
    this.name = 'FrontendsUnavailable'
  }
}

interface Entry {
  readonly key: string
  readonly scope: FrontendScope
  readonly repository: Repository
  /** True if the scope was requested after the last load had begun. */
  isUsed: boolean
  /** True if the scope must be reloaded before it is used again; callers wait for the reload. */
  isStale: boolean
  /** After a failed load, the time in milliseconds before which requests do not start another load. */
  retryAtMs: number
  /** Promise of the load that was started last, until that load ends. */
  reading: Promise<void> | undefined
  /** Number of loads started so far. */
  begun: number
  /** Number of the load whose result is in use, or about to be put into use. */
  taken: number
  /** Number of followers. A scope remains up to date while a caller follows it. */
  followers: number
}

/** Dependencies of `createFrontends`. */
export interface FrontendDeps {
  readonly documents: Pick<EnvironmentDocuments, 'subscribe'>
  readonly downloads: Pick<Downloads, 'get'>
  readonly profile: ProfileInUse
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** Returns a random number in [0, 1). */
  readonly random: () => number
  /**
   * Limits on the number of cached scopes and on the total size of their documents; 100 scopes and 64 MiB by default.
   */
  readonly cacheLimits?: CacheBounds
}

/** Size of the response cache for each scope and kind of response. */
const CACHE_BYTES = 2 * 1024 * 1024
const REPLY_KINDS = 2
/** After a failed load, the minimum time before a scope is loaded again, regardless of the number of requests. */
const RETRY_MS = 1000
/**
 * Limits on the number and the total size of documents. The compiled form of a document needs several times the memory
 * of the document.
 */
const MAX_CACHE = { entries: 100, bytes: 64 * 1024 * 1024 }

/**
 * Creates the cache of compiled flags, with one repository per scope. Evicts scopes first that are not in use. A change
 * is compiled immediately if a caller follows the scope, or has requested it since it was last loaded. Until the
 * compilation ends, requests use the previous flags, and the change is not yet reported as delivered. For any other
 * scope, the next request waits until the change is loaded. After a failed load, the previous configuration remains in
 * use. The scope is then loaded again at the next change or request, but at most once a second.
 */
export function createFrontends(world: FrontendDeps): Frontends {
  const { cacheLimits = MAX_CACHE } = world
  const scopes = new FrontendScopes(world, cacheLimits)
  return {
    getCacheSizes: () => scopes.getCacheSizes(),
    stateFor(scope) {
      const entry = scopes.get(scope)
      const isDue = entry.isStale && (entry.reading !== undefined || world.monotonic() >= entry.retryAtMs)
      if (isDue && entry.reading === undefined) void scopes.renew(entry).catch(() => {})
      entry.isUsed = true
      return isDue ? waitForNewestState(entry) : requireState(entry)
    },
    getFlags: (scope) => ({
      tag: () => requireState(scopes.get(scope)).ofrep.get().tag,
      changedAtMs: () => scopes.get(scope).repository.status.changedAtMs ?? 0,
      changedAgoMs: () => scopes.get(scope).repository.changedAgoMs,
      subscribe: (changed) => scopes.follow(scope, changed),
    }),
  }
}

/** Flags of the scopes in the cache, and of the scopes that a stream follows. */
class FrontendScopes {
  readonly #world: FrontendDeps
  readonly #caches: EnvironmentCaches<Entry>
  readonly #followed = new Set<Entry>()
  readonly #getKey = createScopeKeys()

  constructor(world: FrontendDeps, cacheLimits: CacheBounds) {
    this.#world = world
    this.#caches = new EnvironmentCaches<Entry>(cacheLimits)
    world.documents.subscribe((changed) => this.#renewAll(({ scope }) => isAffectedBy(scope.environment, changed)))
    world.profile.subscribe(() => void this.#renewAll(() => true))
  }

  get(scope: FrontendScope): Entry {
    const key = this.#getKey(scope)
    const cached = this.#caches.of(scope.environment)
    const known = cached.get(key)
    if (known !== undefined) return known
    const entry = [...this.#followed].find((one) => one.key === key) ?? createEntry(this.#world, key, scope)
    cached.set(key, entry)
    return entry
  }

  renew(entry: Entry): Promise<void> {
    entry.isUsed = false
    const reading = loadScope(this.#world, entry).then(
      (bytes) => {
        if (bytes !== undefined) this.#caches.of(entry.scope.environment).resize(entry.key, entry, bytes)
        if (entry.reading === reading) Object.assign(entry, { reading: undefined, isStale: bytes === undefined })
      },
      (error: unknown) => {
        if (entry.reading === reading) Object.assign(entry, { reading: undefined, isStale: true })
        throw error
      },
    )
    entry.reading = reading
    return reading
  }

  /** Calls `changed` after each change in a scope, which remains loaded until the returned function is called. */
  follow(scope: FrontendScope, changed: Parameters<Entry['repository']['subscribe']>[0]): () => void {
    const entry = this.get(scope)
    entry.followers += 1
    this.#followed.add(entry)
    const unfollow = entry.repository.subscribe(changed)
    return () => {
      unfollow()
      entry.followers -= 1
      if (entry.followers === 0) this.#followed.delete(entry)
    }
  }

  getCacheSizes(): ReturnType<Frontends['getCacheSizes']> {
    return {
      documents: this.#caches.getSize(),
      replies: sumReplies(this.#caches.values(), this.#caches.limitEntries * CACHE_BYTES * REPLY_KINDS),
    }
  }

  async #renewAll(isChanged: (entry: Entry) => boolean): Promise<void> {
    const changed = [...new Set([...this.#caches.values(), ...this.#followed])].filter(isChanged)
    const wanted = changed.filter(isInUse)
    const idle = changed.filter((entry) => !isInUse(entry))
    for (const entry of idle) entry.isStale = true
    await Promise.allSettled(wanted.map((entry) => this.renew(entry)))
  }
}

function sumReplies(entries: readonly Entry[], limitBytes: number): CacheSize {
  const sizes = entries.map(({ repository }) => getCachedReplies(repository.state))
  return {
    entries: sizes.reduce((sum, size) => sum + size.entries, 0),
    bytes: sizes.reduce((sum, size) => sum + size.bytes, 0),
    limitBytes,
  }
}

/** Adds the caches for frontends to the metrics. */
export function watchFrontends(caches: CacheSeries, frontends: Pick<Frontends, 'getCacheSizes'>): void {
  caches.watch('frontend-documents', () => frontends.getCacheSizes().documents)
  caches.watch('frontend-replies', () => frontends.getCacheSizes().replies)
}

/** Returns a function that computes the key of a scope only once per scope object. */
export function createScopeKeys(): (scope: FrontendScope) => string {
  const keys = new WeakMap<FrontendScope, string>()
  return (scope) => {
    const key = keys.get(scope) ?? JSON.stringify([scope.environment, [...scope.projects].sort()])
    keys.set(scope, key)
    return key
  }
}

/**
 * Returns true if the scope must be loaded at once after a change. The scope of a test run without followers is loaded
 * at its next request, so that a change costs nothing for the many runs that only poll.
 */
function isInUse({ scope, isUsed, reading, followers }: Entry): boolean {
  return (isUsed && !isRunEnvironment(scope.environment)) || followers > 0 || reading !== undefined
}

function requireState({ repository: { state } }: Entry): RepositoryState {
  if (state === undefined) throw new FrontendsUnavailable()
  return state
}

/**
 * Waits for the load that was started last. If an older load fails, or a newer load has started in the meantime, the
 * result of the newer load counts.
 */
async function waitForNewestState(entry: Entry): Promise<RepositoryState> {
  for (;;) {
    const { reading } = entry
    const isLast = () => entry.reading === undefined || entry.reading === reading
    try {
      await reading
    } catch (error) {
      if (isLast()) throw error
    }
    if (isLast() || entry.repository.state !== undefined) return requireState(entry)
  }
}

function createEntry(
  { profile, logger, debug, clock, monotonic, random }: FrontendDeps,
  key: string,
  scope: FrontendScope,
): Entry {
  const compileOptions = { clock, random }
  const answerOptions = { cacheBytes: CACHE_BYTES }
  const repository = new Repository({ profile, logger, debug, clock, monotonic, compileOptions, answerOptions })
  const nothing = { isUsed: false, reading: undefined, begun: 0, taken: 0, followers: 0 }
  return { key, scope, repository, isStale: true, retryAtMs: Number.NEGATIVE_INFINITY, ...nothing }
}

/**
 * Loads the flags of a scope. Returns the approximate size of the document in bytes, or undefined if the previous flags
 * remain in use.
 */
async function loadScope({ downloads, logger, monotonic }: FrontendDeps, entry: Entry): Promise<number | undefined> {
  entry.begun += 1
  const turn = entry.begun
  try {
    const { features, segments, size } = await downloads.get(entry.scope, false)
    if (turn < entry.taken) {
      // if two loads overlap, the older load may end last; by then the result of the newer load is in use or about to
      // be
      await entry.repository.settle()
      return size
    }
    entry.taken = turn
    await entry.repository.replace({ version: 2, features: features(), segments }, 'upstream')
    return size
  } catch (error) {
    entry.repository.fail(error instanceof Error ? error : new Error(String(error)))
    if (entry.repository.state === undefined) throw error
    logger.error('Cannot read the configuration for frontends; keeping the current one', error)
    entry.retryAtMs = monotonic() + RETRY_MS
    return undefined
  }
}
