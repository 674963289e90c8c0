import { BoundedCache } from '@burgee/kit/bounded-cache'
import { Repository } from '@burgee/serving/document/repository'
import type { Answers } from '@burgee/serving/replies/answers'
import type { ServerWorld } from '../server-world.ts'
import { documentOf } from './downloads.ts'

/** Whose flags a front end gets. */
export interface FrontendScope {
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

/** What front ends are answered with: made once per scope and change, over what their SDKs would download now. */
export interface Frontends {
  answersFor(scope: FrontendScope): Promise<Answers>
}

interface Entry {
  readonly environment: string
  readonly repository: Repository
  isStale: boolean
  loading: Promise<void>
  bytes: number
  /** Counts the reads that have begun. */
  reads: number
  /** Which of them is in use, or on its way. */
  used: number
}

/** What front ends stand on. */
export type FrontendWorld = Pick<ServerWorld, 'broadcast' | 'downloads' | 'logger' | 'debug' | 'clock' | 'random'>

/** What is kept for contexts that come again, of each scope. */
const CACHE_BYTES = 2 * 1024 * 1024
/** Bytes are those of the documents; what is compiled from them takes some times as many. */
const MOST = { entries: 100, bytes: 64 * 1024 * 1024 }

/**
 * Keeps one repository per scope, at most a hundred of 64 MiB together, the least used go first. From the publication of a change on,
 * which comes before its reply, the next request reads anew and others wait for it; what cannot be read leaves the
 * configuration before in use.
 */
export function createFrontends(world: FrontendWorld): Frontends {
  const kept = new BoundedCache<Entry>(MOST)
  world.broadcast.subscribe(
    (events) => {
      const reaches = new Set(events.map((event) => event.reach))
      for (const entry of kept.values()) entry.isStale ||= reaches.has('') || reaches.has(entry.environment)
    },
    () => {
      for (const entry of kept.values()) entry.isStale = true
    },
  )
  return {
    async answersFor(scope) {
      const key = JSON.stringify([scope.environment, [...scope.projects].sort()])
      const known = kept.get(key)
      const entry = known ?? newEntry(world, scope.environment)
      if (known === undefined) kept.set(key, entry)
      if (entry.isStale) {
        entry.isStale = false
        entry.loading = load(world, entry, scope).then((bytes) => kept.resize(key, entry, bytes))
      }
      await entry.loading
      const { state } = entry.repository
      if (state === undefined) throw new Error('There is no configuration for front ends')
      return state.answers
    },
  }
}

function newEntry({ logger, debug, clock, random }: FrontendWorld, environment: string): Entry {
  const chance = () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32
  const compileOptions = { clock, random: chance }
  const answerOptions = { cacheBytes: CACHE_BYTES }
  const repository = new Repository({ logger, debug, clock, compileOptions, answerOptions })
  return { environment, repository, isStale: true, loading: Promise.resolve(), bytes: 0, reads: 0, used: 0 }
}

/** Answers how many bytes the document in use has. */
async function load(world: FrontendWorld, entry: Entry, scope: FrontendScope): Promise<number> {
  entry.reads += 1
  const read = entry.reads
  try {
    const download = await world.downloads.get(scope, false)
    // of two that are read at once the older one may come last
    if (read < entry.used) return entry.bytes
    entry.used = read
    const { features, segments } = documentOf(download)
    await entry.repository.replace({ version: 2, features, segments: segments ?? [] }, 'upstream')
    entry.bytes = download.body.length
    return entry.bytes
  } catch (error) {
    entry.isStale = true
    entry.repository.fail(error instanceof Error ? error : new Error(String(error)))
    if (entry.repository.state === undefined) throw error
    world.logger.error('The configuration for front ends could not be read; the one before stays in use', error)
    return entry.bytes
  }
}
