import {
  addFailedLogins,
  addUsage,
  type InstanceSeen,
  touchFeatures,
  touchInstance,
  touchPersonalTokens,
  touchTokens,
  type UsageCount,
} from '../store/usage.ts'
import { record } from './execute.ts'
import { Sightings } from './sightings.ts'
import { isName, type ToggleCounts, UsageCounts } from './usage-counts.ts'
import type { World } from './world.ts'

/** Counts of a stretch of time, as SDKs send them. */
export interface Bucket {
  readonly start: string
  readonly stop: string
  readonly toggles: Readonly<Record<string, ToggleCounts>>
}

/** Gathers what SDKs report and writes it in batches, so that reports cost no transaction each. */
export interface Usage {
  /** Adds the counts of one application; any name is data like any other. */
  count(environment: string, appName: string, bucket: Bucket): void
  /** Notes an application's instance. */
  instance(seen: InstanceSeen): void
  /** Notes that a token was used, to the minute. */
  token(id: string): void
  /** Notes that a person's own token was used, to the minute. */
  personalToken(id: number): void
  /** Notes a login of a user with a wrong password. */
  readonly failedLogin: (userId: number) => void
  /** Reports and dropped names since the start, and names that wait to be written. */
  readonly tally: () => { readonly reports: number; readonly dropped: number; readonly waiting: number }
  /** Writes what was gathered; what cannot be written is kept and tried again. */
  flush(): Promise<void>
  /** Writes the rest and gathers no more. */
  close(): Promise<void>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FLUSH_MS = 1000
const MOST_GATHERED = 10_000

/** Usage that is written about every second, sooner when much is waiting, and at the end. */
export function createUsage(world: World): Usage {
  return new UsageBuffer(world)
}

class UsageBuffer implements Usage {
  readonly #world: World
  readonly #counts = new UsageCounts()
  #reports = 0
  #instances = new Map<string, InstanceSeen>()
  readonly #tokens = new Sightings<string>()
  readonly #personalTokens = new Sightings<number>()
  #failures = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(world: World) {
    this.#world = world
  }

  count(environment: string, appName: string, bucket: Bucket): void {
    const toggles = Object.entries(bucket.toggles)
    if (!isName(appName)) {
      this.#counts.drop(toggles.length)
      return
    }
    this.#reports += 1
    const hour = hourOf(bucket, this.#world.clock())
    for (const [featureName, toggle] of toggles) {
      if (typeof toggle !== 'object' || toggle === null) continue
      this.#counts.add({ environment, appName, featureName, hour }, toggle)
    }
    this.#schedule()
  }

  instance(seen: InstanceSeen): void {
    if (![seen.appName, seen.instanceId, seen.sdkVersion ?? ''].every(isName)) return
    const key = JSON.stringify([seen.appName, seen.instanceId, seen.environment])
    if (this.#instances.size >= 2 * MOST_GATHERED && !this.#instances.has(key)) return
    this.#instances.set(key, seen)
    this.#schedule()
  }

  token(id: string): void {
    if (this.#tokens.note(id, this.#world.clock())) this.#schedule()
  }

  personalToken(id: number): void {
    if (this.#personalTokens.note(id, this.#world.clock())) this.#schedule()
  }

  readonly failedLogin = (userId: number): void => {
    this.#failures.set(userId, (this.#failures.get(userId) ?? 0) + 1)
    this.#schedule()
  }

  readonly tally = () => ({ reports: this.#reports, dropped: this.#counts.dropped, waiting: this.#counts.waiting })

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
    if (this.#counts.rows + this.#instances.size >= MOST_GATHERED) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref()
  }

  async #write(): Promise<void> {
    const counts = this.#counts.take()
    const [tokens, personal] = [this.#tokens.take(), this.#personalTokens.take()]
    const [instances, failures] = [this.#instances, this.#failures]
    if (counts.length + instances.size + tokens.size + personal.size + failures.size === 0) return
    this.#instances = new Map()
    this.#failures = new Map()
    const now = this.#world.clock()
    try {
      await record(this.#world, async (tx) => {
        await addUsage(tx, counts)
        await touchFeatures(tx, namesByEnvironment(counts), now)
        for (const seen of instances.values()) await touchInstance(tx, seen, now)
        await touchTokens(tx, tokens)
        await touchPersonalTokens(tx, personal)
        await addFailedLogins(tx, failures)
      })
    } catch (error) {
      this.#world.logger.warn('Usage could not be written; it is kept for the next time', error)
      for (const { yes, no, variants, ...key } of counts) this.#counts.add(key, { yes, no, variants })
      this.#instances = new Map([...instances, ...this.#instances])
      this.#tokens.keep(tokens)
      this.#personalTokens.keep(personal)
      for (const [id, more] of failures) this.#failures.set(id, (this.#failures.get(id) ?? 0) + more)
      this.#schedule()
    }
  }
}

/** The hour a bucket counts for: when it ended, unless an SDK's clock is far off, then now. */
function hourOf(bucket: Bucket, now: number): number {
  const stop = Date.parse(bucket.stop)
  const isPlausible = stop <= now && stop > now - DAY_MS
  const time = isPlausible ? stop : now
  return time - (time % HOUR_MS)
}

function namesByEnvironment(counts: readonly UsageCount[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const { environment, featureName } of counts) {
    const known = names.get(environment) ?? new Set()
    names.set(environment, known.add(featureName))
  }
  return names
}
