import { sumCounts } from '@burgee/protocol/usage/count-sum'
import { NameBudget, type NameOwner, ReservedNames } from '@burgee/serving/usage/name-budget'

/** Source of usage reports: a token, or the proxy in this process. */
export interface Reporter {
  /** Rate-limit key (one per token). */
  readonly key: string
  readonly environment: string
  /** Projects whose flags the reporter may count; `['*']` means all projects. */
  readonly projects: readonly string[]
  /** True if the token is public, as in a front end. */
  readonly isPublic: boolean
  /** Caller that the reported names are charged to; undefined for this process. */
  readonly owner?: NameOwner | undefined
}

/** Counts of one flag as reported. */
export interface ToggleCounts {
  readonly yes?: number | undefined
  readonly no?: number | undefined
  readonly variants?: Readonly<Record<string, number>> | ReadonlyMap<string, number> | undefined
}

/** Key of a count: reporter, application, flag, and hour (its start in milliseconds since 1970). */
export interface ReportKey {
  readonly reporter: Reporter
  readonly appName: string
  readonly featureName: string
  readonly hour: number
}

/** Buffered counts; whether the flag exists has not been checked yet. */
export interface ReportedCount extends ReportKey {
  readonly yes: number
  readonly no: number
  /** Undefined if no variant was reported. */
  readonly variants: ReadonlyMap<string, number> | undefined
}

/** Running sums. */
export interface Sums {
  yes: number
  no: number
  /** Undefined until a variant is added: an empty map takes more memory than the rest of the sums. */
  variants: Map<string, number> | undefined
}

/** Cap on buffered names: callers choose them, and the database may be down for long. */
const MAX_NAMES = 50_000
/** An index key consists of three names and an environment, and PostgreSQL limits it to 2,704 bytes. */
const MAX_NAME_BYTES = 500

/** Buffer of counts with at most 50,000 names of flags and variants; further names are dropped. */
export class UsageCounts {
  /** Counts by reporter, application and hour, then by flag. */
  #counts = new Map<string, Map<string, ReportKey & Sums>>()
  #rows = 0
  readonly #room = new NameBudget({ names: MAX_NAMES, length: MAX_NAME_BYTES })
  readonly #names = new ReservedNames(this.#room)

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
   * Adds the counts of a report to the buffer; flags with only zero counts are skipped. Names that cannot be stored are
   * dropped, because they would make the whole write fail.
   */
  add(
    { reporter: { owner, ...reporter }, appName, hour }: Omit<ReportKey, 'featureName'>,
    toggles: Iterable<readonly [featureName: string, counts: ToggleCounts]>,
  ): void {
    const id = JSON.stringify([reporter.key, appName, hour])
    const flags = this.#counts.get(id) ?? new Map<string, ReportKey & Sums>()
    for (const [featureName, toggle] of toggles) {
      if (isZero(toggle)) continue
      let sums = flags.get(featureName)
      if (sums === undefined) {
        if (!this.#hasRoom(featureName, owner)) continue
        sums = { reporter, appName, hour, featureName, yes: 0, no: 0, variants: undefined }
        flags.set(featureName, sums)
        this.#rows += 1
      }
      addCounts(sums, toggle, (variant) => this.#hasRoom(variant, owner))
    }
    if (flags.size > 0) this.#counts.set(id, flags)
  }

  /** Adds names that the caller dropped to the number of dropped names. */
  drop(names: number): void {
    this.#room.drop(names)
  }

  /** Puts counts that could not be written back into the buffer. */
  restore({ featureName, yes, no, variants, ...of }: ReportedCount): void {
    this.add(of, [[featureName, { yes, no, variants }]])
  }

  /** Returns all buffered counts and empties the buffer; call `restore` for counts that could not be written. */
  take(): ReportedCount[] {
    const taken = [...this.#counts.values()].flatMap((flags) => [...flags.values()])
    this.#counts = new Map()
    this.#rows = 0
    this.#names.release()
    return taken
  }

  #hasRoom(name: string, owner: NameOwner | undefined): boolean {
    if (isName(name)) return this.#names.reserve(name, owner)
    this.#room.drop(1)
    return false
  }
}

/** Returns true if every database can store the name without treating it as equal to another name. */
export function isName(name: string): boolean {
  return Buffer.byteLength(name) <= MAX_NAME_BYTES && !name.includes('\0') && name.isWellFormed()
}

/** Returns true if a flag was not evaluated: some SDKs list every flag that they ever evaluated. */
function isZero({ yes = 0, no = 0, variants }: ToggleCounts): boolean {
  if (yes !== 0 || no !== 0) return false
  if (variants === undefined) return true
  const counts = variants instanceof Map ? variants.values() : Object.values(variants)
  return [...counts].every((count) => count === 0)
}

/** Adds counts to sums. Skips a variant that the sums do not contain if `letIn` returns false for it. */
export function addCounts(
  sums: Sums,
  { yes = 0, no = 0, variants }: ToggleCounts,
  letIn: (variant: string) => boolean = () => true,
): void {
  sums.yes = sumCounts(sums.yes, yes)
  sums.no = sumCounts(sums.no, no)
  if (variants === undefined) return
  const listed = variants instanceof Map ? variants : Object.entries(variants)
  for (const [variant, more] of listed) {
    const before = sums.variants?.get(variant)
    if (before === undefined && !letIn(variant)) continue
    sums.variants ??= new Map()
    sums.variants.set(variant, sumCounts(before ?? 0, more))
  }
}
