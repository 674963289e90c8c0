import { BoundedCache, type CacheBounds } from '@burgee/kit/bounded-cache'
import type { Debug, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { CacheSeries, CacheSize } from '@burgee/kit/series/cache-series'
import type { EnvironmentDocuments } from '../document/environment-documents.ts'
import { cachedReplyBytes, Repository, type RepositoryState } from '../document/repository.ts'
import type { FollowedFlags } from '../ofrep/change-streams.ts'
import type { ProfileInUse } from '../upstream/announced-profile.ts'
import type { Downloads } from './downloads.ts'

/** Whose flags a front end gets. */
export interface FrontendScope {
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

/** What front ends are answered with: made once per scope and change, over what their SDKs would download now. */
export interface Frontends {
  /** A promise only where nothing is ready: the first time, and after changes while nobody asked. */
  stateFor(scope: FrontendScope): RepositoryState | Promise<RepositoryState>
  /** The flags of a scope for somebody who follows them, who has asked for them before; meanwhile they are kept ready. */
  flagsOf(scope: FrontendScope): FollowedFlags
  /** Memory of the documents in use, and of replies to contexts that came before. */
  held(): { readonly documents: CacheSize; readonly replies: CacheSize }
}

/** Thrown if a scope has no configuration yet, because it could not be read: callers are answered with 503. */
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
  /** Whether somebody has asked since the last reading began. */
  isUsed: boolean
  /** Whether it is to be read before it is used: then whoever asks waits. */
  isStale: boolean
  /** Before this, in milliseconds, nobody who asks has it read again: it could not be read. */
  retryAtMs: number
  /** The reading that began last, until it ends. */
  reading: Promise<void> | undefined
  /** Counts the readings that have begun. */
  begun: number
  /** Which of them is in use, or on its way. */
  taken: number
  /** How many follow it: then it is kept ready. */
  followers: number
}

/** What front ends stand on. */
export interface FrontendWorld {
  readonly documents: Pick<EnvironmentDocuments, 'subscribe'>
  readonly downloads: Pick<Downloads, 'get'>
  readonly profile: ProfileInUse
  readonly logger: Logger
  readonly debug?: Debug | undefined
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** A number from 0 on, below 1. */
  readonly random: () => number
  /** At most so many scopes are kept, with documents of so many bytes together; 100 of 64 MiB by default. */
  readonly most?: CacheBounds
}

/** What is kept for contexts that come again, of each scope and each of the two kinds of replies. */
const CACHE_BYTES = 2 * 1024 * 1024
const REPLY_KINDS = 2
/** Bytes are about those of the documents; what is compiled from them takes some times as many. */
/** A scope that could not be read is not read again by whoever asks next: that may be many. */
const RETRY_MS = 1000
const MOST = { entries: 100, bytes: 64 * 1024 * 1024 }

/**
 * Keeps one repository per scope, the least used go first. A change is compiled
 * at once where somebody has asked since the one before, and requests go on meanwhile with what is in use; whoever made
 * the change waits for it. Elsewhere the next request waits. What cannot be read leaves the configuration before in
 * use, and is read again by the next change, or by who asks, once a second.
 */
export function createFrontends(world: FrontendWorld): Frontends {
  const { most = MOST } = world
  const kept = new BoundedCache<Entry>(most)
  const followed = new Set<Entry>()
  const keyOf = scopeKeys()
  const entryOf = (scope: FrontendScope): Entry => {
    const key = keyOf(scope)
    const known = kept.get(key)
    if (known !== undefined) return known
    const entry = [...followed].find((one) => one.key === key) ?? newEntry(world, key, scope)
    kept.set(key, entry)
    return entry
  }
  const renew = (entry: Entry): Promise<void> => {
    entry.isUsed = false
    const reading = read(world, entry).then(
      (bytes) => {
        if (bytes !== undefined) kept.resize(entry.key, entry, bytes)
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
  const renewAll = async (isChanged: (entry: Entry) => boolean) => {
    const own = [...new Set([...kept.values(), ...followed])].filter(isChanged)
    const [wanted, idle] = [own.filter(isWanted), own.filter((entry) => !isWanted(entry))]
    for (const entry of idle) entry.isStale = true
    await Promise.allSettled(wanted.map(renew))
  }
  world.documents.subscribe((environment) => renewAll(({ scope }) => scope.environment === environment))
  world.profile.follow(() => void renewAll(() => true))
  return {
    held: () => ({
      documents: { bytes: kept.bytes, limitBytes: most.bytes ?? Number.POSITIVE_INFINITY },
      replies: {
        bytes: kept.values().reduce((sum, { repository }) => sum + cachedReplyBytes(repository.state), 0),
        limitBytes: most.entries * CACHE_BYTES * REPLY_KINDS,
      },
    }),
    stateFor(scope) {
      const entry = entryOf(scope)
      const isDue = entry.isStale && (entry.reading !== undefined || world.monotonic() >= entry.retryAtMs)
      if (isDue && entry.reading === undefined) void renew(entry).catch(() => {})
      entry.isUsed = true
      return isDue ? newestState(entry) : stateOf(entry)
    },
    flagsOf(scope) {
      return {
        tag: () => stateOf(entryOf(scope)).ofrep.get().tag,
        changedAtMs: () => entryOf(scope).repository.status.changedAtMs ?? 0,
        changedAgoMs: () => entryOf(scope).repository.changedAgoMs,
        follow(changed) {
          const entry = entryOf(scope)
          entry.followers += 1
          followed.add(entry)
          const unfollow = entry.repository.follow(changed)
          return () => {
            unfollow()
            entry.followers -= 1
            if (entry.followers === 0) followed.delete(entry)
          }
        },
      }
    },
  }
}

/** Adds the caches of front ends to the series. */
export function watchFrontends(caches: CacheSeries, frontends: Pick<Frontends, 'held'>): void {
  caches.watch('frontend-documents', () => frontends.held().documents)
  caches.watch('frontend-replies', () => frontends.held().replies)
}

/** Of the same object the same text, which is made once. */
function scopeKeys(): (scope: FrontendScope) => string {
  const keys = new WeakMap<FrontendScope, string>()
  return (scope) => {
    const key = keys.get(scope) ?? JSON.stringify([scope.environment, [...scope.projects].sort()])
    keys.set(scope, key)
    return key
  }
}

function isWanted({ isUsed, reading, followers }: Entry): boolean {
  return isUsed || followers > 0 || reading !== undefined
}

function stateOf({ repository: { state } }: Entry): RepositoryState {
  if (state === undefined) throw new FrontendsUnavailable()
  return state
}

/** Waits for the newest reading: an older one that fails or is overtaken decides nothing while another is under way. */
async function newestState(entry: Entry): Promise<RepositoryState> {
  for (;;) {
    const { reading } = entry
    const isLast = () => entry.reading === undefined || entry.reading === reading
    try {
      await reading
    } catch (error) {
      if (isLast()) throw error
    }
    if (isLast() || entry.repository.state !== undefined) return stateOf(entry)
  }
}

function newEntry(
  { profile, logger, debug, clock, monotonic, random }: FrontendWorld,
  key: string,
  scope: FrontendScope,
): Entry {
  const compileOptions = { clock, random }
  const answerOptions = { cacheBytes: CACHE_BYTES }
  const repository = new Repository({ profile, logger, debug, clock, monotonic, compileOptions, answerOptions })
  const nothing = { isUsed: false, reading: undefined, begun: 0, taken: 0, followers: 0 }
  return { key, scope, repository, isStale: true, retryAtMs: Number.NEGATIVE_INFINITY, ...nothing }
}

/** Answers about how many bytes the document in use has; undefined where the one before stays in use. */
async function read({ downloads, logger, monotonic }: FrontendWorld, entry: Entry): Promise<number | undefined> {
  entry.begun += 1
  const turn = entry.begun
  try {
    const { features, segments, size } = await downloads.get(entry.scope, false)
    if (turn < entry.taken) {
      // when two are read at once, the older one may come last: then the newer one is about to be in use
      await entry.repository.settle()
      return size
    }
    entry.taken = turn
    await entry.repository.replace({ version: 2, features: features(), segments }, 'upstream')
    return size
  } catch (error) {
    entry.repository.fail(error instanceof Error ? error : new Error(String(error)))
    if (entry.repository.state === undefined) throw error
    logger.error('The configuration for front ends could not be read; the one before stays in use', error)
    entry.retryAtMs = monotonic() + RETRY_MS
    return undefined
  }
}
