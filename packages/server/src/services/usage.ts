import {
  addFailedLogins,
  addUsage,
  type InstanceSeen,
  touchFeatures,
  touchInstance,
  touchTokens,
} from '../store/usage.ts'
import { record } from './execute.ts'
import type { World } from './world.ts'

/** Counts of a stretch of time, as SDKs send them. */
export interface Bucket {
  readonly start: string
  readonly stop: string
  readonly toggles: Readonly<
    Record<
      string,
      {
        readonly yes?: number | undefined
        readonly no?: number | undefined
        readonly variants?: Readonly<Record<string, number>> | undefined
      }
    >
  >
}

/** Gathers what SDKs report and writes it in batches, so that reports cost no transaction each. */
export interface Usage {
  /** Adds the counts of one application; any name is data like any other. */
  count(environment: string, appName: string, bucket: Bucket): void
  /** Notes an application's instance. */
  instance(seen: InstanceSeen): void
  /** Notes that a token was used, to the minute. */
  token(id: string): void
  /** Notes a login of a user with a wrong password. */
  readonly failedLogin: (userId: number) => void
  /** Writes what was gathered; what cannot be written is kept and tried again. */
  flush(): Promise<void>
  /** Writes the rest and gathers no more. */
  close(): Promise<void>
}

interface Gathered {
  environment: string
  appName: string
  featureName: string
  hour: number
  yes: number
  no: number
  variants: Map<string, number>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FLUSH_MS = 1000
const TOKEN_EVERY_MS = 60_000
const MOST_GATHERED = 10_000
/** Three names and an environment make one key, and a key of PostgreSQL's indexes ends at 2,704 bytes. */
const MOST_NAME_BYTES = 500

/** Usage that is written about every second, sooner when much is waiting, and at the end. */
export function createUsage(world: World): Usage {
  return new UsageBuffer(world)
}

class UsageBuffer implements Usage {
  readonly #world: World
  #counts = new Map<string, Gathered>()
  #instances = new Map<string, InstanceSeen>()
  #tokens = new Map<string, number>()
  readonly #tokensSeen = new Map<string, number>()
  #failures = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(world: World) {
    this.#world = world
  }

  count(environment: string, appName: string, bucket: Bucket): void {
    if (!isName(appName)) return
    const hour = hourOf(bucket, this.#world.clock())
    for (const [featureName, toggle] of Object.entries(bucket.toggles)) {
      // one that cannot be stored would keep the whole batch from being written, now and ever after
      if (typeof toggle !== 'object' || toggle === null || !isName(featureName)) continue
      const { yes = 0, no = 0, variants = {} } = toggle
      const key = JSON.stringify([environment, appName, featureName, hour])
      const known = this.#counts.get(key)
      const counts = known ?? { environment, appName, featureName, hour, yes: 0, no: 0, variants: new Map() }
      counts.yes = sum(counts.yes, yes)
      counts.no = sum(counts.no, no)
      for (const [variant, more] of Object.entries(variants)) {
        if (!isName(variant)) continue
        counts.variants.set(variant, sum(counts.variants.get(variant) ?? 0, more))
      }
      if (known === undefined) this.#counts.set(key, counts)
    }
    this.#schedule()
  }

  instance(seen: InstanceSeen): void {
    if (![seen.appName, seen.instanceId, seen.sdkVersion ?? ''].every(isName)) return
    this.#instances.set(JSON.stringify([seen.appName, seen.instanceId, seen.environment]), seen)
    this.#schedule()
  }

  token(id: string): void {
    const now = this.#world.clock()
    if (now - (this.#tokensSeen.get(id) ?? 0) < TOKEN_EVERY_MS) return
    if (this.#tokensSeen.size >= MOST_GATHERED) this.#tokensSeen.clear()
    this.#tokensSeen.set(id, now)
    this.#tokens.set(id, now)
    this.#schedule()
  }

  readonly failedLogin = (userId: number): void => {
    this.#failures.set(userId, (this.#failures.get(userId) ?? 0) + 1)
    this.#schedule()
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  #schedule(): void {
    if (this.#isClosed) return
    if (this.#counts.size + this.#instances.size >= MOST_GATHERED) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref()
  }

  async #write(): Promise<void> {
    const [counts, instances, tokens, failures] = [this.#counts, this.#instances, this.#tokens, this.#failures]
    if (counts.size + instances.size + tokens.size + failures.size === 0) return
    this.#counts = new Map()
    this.#instances = new Map()
    this.#tokens = new Map()
    this.#failures = new Map()
    const now = this.#world.clock()
    try {
      await record(this.#world, async (tx) => {
        await addUsage(tx, [...counts.values()])
        await touchFeatures(tx, namesByEnvironment(counts.values()), now)
        for (const seen of instances.values()) await touchInstance(tx, seen, now)
        await touchTokens(tx, tokens)
        await addFailedLogins(tx, failures)
      })
    } catch (error) {
      this.#world.logger.warn('Usage could not be written; it is kept for the next time', error)
      this.#keep(counts, instances, tokens)
      this.#schedule()
    }
  }

  #keep(counts: Map<string, Gathered>, instances: Map<string, InstanceSeen>, tokens: Map<string, number>): void {
    for (const [key, before] of counts) {
      const since = this.#counts.get(key)
      if (since !== undefined) {
        before.yes = sum(before.yes, since.yes)
        before.no = sum(before.no, since.no)
        for (const [name, more] of since.variants) before.variants.set(name, sum(before.variants.get(name) ?? 0, more))
      }
      if (this.#counts.size < 2 * MOST_GATHERED || since !== undefined) this.#counts.set(key, before)
    }
    this.#instances = new Map([...instances, ...this.#instances])
    this.#tokens = new Map([...tokens, ...this.#tokens])
  }
}

/** The hour a bucket counts for: when it ended, unless an SDK's clock is far off, then now. */
function hourOf(bucket: Bucket, now: number): number {
  const stop = Date.parse(bucket.stop)
  const isPlausible = stop <= now && stop > now - DAY_MS
  const time = isPlausible ? stop : now
  return time - (time % HOUR_MS)
}

/** Whether a name of an SDK's making can be stored, on every database, and stays different from every other. */
function isName(name: string): boolean {
  return Buffer.byteLength(name) <= MOST_NAME_BYTES && !name.includes('\0') && name.isWellFormed()
}

/** Whole and at most 2^53 − 1; what is no number counts as 0. */
function sum(a: number, b: unknown): number {
  const more = typeof b === 'number' && b > 0 ? Math.floor(b) : 0
  return Math.min(a + more, Number.MAX_SAFE_INTEGER)
}

function namesByEnvironment(counts: Iterable<Gathered>): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const { environment, featureName } of counts) {
    const known = names.get(environment) ?? new Set()
    names.set(environment, known.add(featureName))
  }
  return names
}
