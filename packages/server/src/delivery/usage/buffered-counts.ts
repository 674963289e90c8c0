import { FlagCounts, type ToggleCounts } from '@burgee/serving/usage/flag-counts'
import { NameBudget, type NameOwner, ReservedNames } from '@burgee/serving/usage/name-budget'

/** Source of usage reports: a token, or the proxy in this process. */
export interface Reporter {
  /** Rate-limit key (one per token). */
  readonly key: string
  readonly environment: string
  /** Projects whose flags the reporter may count; `['*']` means all projects. */
  readonly projects: readonly string[]
  /** True if the token is public, such as one in a front end. */
  readonly isPublic: boolean
  /** Caller to whose limit the reported names are charged; undefined for reports from within this process. */
  readonly owner?: NameOwner | undefined
}

/** Key of a count: reporter, application, flag and hour. The hour is given by its start, in milliseconds since 1970. */
export interface ReportKey {
  readonly reporter: Reporter
  readonly appName: string
  readonly featureName: string
  readonly hour: number
}

/** Buffered counts; it has not been checked yet whether the flag exists. */
export interface ReportedCount extends ReportKey {
  readonly yes: number
  readonly no: number
  /** Undefined if no variant was reported. */
  readonly variants: ReadonlyMap<string, number> | undefined
}

/** Maximum number of buffered names. Callers choose the names, and the database may be unavailable for a long time. */
const MAX_NAMES = 50_000
/**
 * Maximum length of a name in bytes. An index key consists of three names and an environment, and PostgreSQL limits an
 * index key to 2,704 bytes.
 */
const MAX_NAME_BYTES = 500

/** Source of counts: reporter, application and hour. */
type ReportSource = Omit<ReportKey, 'featureName'>

/** Buffer of counts with at most 50,000 names of flags and variants; further names are dropped. */
export class UsageCounts {
  /** Counts by reporter, application and hour. */
  #counts = new Map<string, { readonly source: ReportSource; readonly flags: FlagCounts }>()
  #rows = 0
  readonly #room = new NameBudget({ names: MAX_NAMES, length: MAX_NAME_BYTES })
  readonly #names = new ReservedNames(this.#room)
  readonly #reservations = { reserve: (name: string, owner: NameOwner | undefined) => this.#reserve(name, owner) }

  /** Number of buffered names. */
  get bufferedNames(): number {
    return this.#room.names
  }

  /** Number of buffered rows. */
  get rows(): number {
    return this.#rows
  }

  /** Number of names dropped since the start. */
  get dropped(): number {
    return this.#room.dropped
  }

  /**
   * Adds the counts of a report to the buffer; flags with only zero counts are skipped. A name that cannot be stored is
   * dropped, because it would make the whole write fail.
   */
  add(
    { reporter: { owner, ...reporter }, appName, hour }: ReportSource,
    toggles: Iterable<readonly [featureName: string, counts: ToggleCounts]>,
  ): void {
    const id = JSON.stringify([reporter.key, appName, hour])
    const source = { reporter, appName, hour }
    const buffered = this.#counts.get(id) ?? { source, flags: new FlagCounts(this.#reservations) }
    const before = buffered.flags.size
    for (const [featureName, counts] of toggles) buffered.flags.add(featureName, counts, owner)
    this.#rows += buffered.flags.size - before
    if (buffered.flags.size > 0) this.#counts.set(id, buffered)
  }

  /** Adds names that the caller has dropped to the number of dropped names. */
  drop(names: number): void {
    this.#room.drop(names)
  }

  /** Puts counts that could not be written back into the buffer. */
  restore({ featureName, yes, no, variants, ...of }: ReportedCount): void {
    this.add(of, [[featureName, { yes, no, variants }]])
  }

  /** Returns all buffered counts and empties the buffer; call `restore` for counts that could not be written. */
  take(): ReportedCount[] {
    const taken = [...this.#counts.values()].flatMap(({ source, flags }) =>
      flags.drain().map(([featureName, sums]) => ({ ...source, featureName, ...sums })),
    )
    this.#counts = new Map()
    this.#rows = 0
    this.#names.release()
    return taken
  }

  #reserve(name: string, owner: NameOwner | undefined): boolean {
    if (isName(name)) return this.#names.reserve(name, owner)
    this.#room.drop(1)
    return false
  }
}

/** Returns true if every database can store the name and treats it as different from all other names. */
export function isName(name: string): boolean {
  return Buffer.byteLength(name) <= MAX_NAME_BYTES && !name.includes('\0') && name.isWellFormed()
}
