import { sumOfCounts } from '@burgee/protocol/usage/count-sum'

/** Who reports usage: a token, or the proxy in this process. */
export interface Reporter {
  /** Whose limits hold: one for each token. */
  readonly key: string
  readonly environment: string
  /** Whose flags it may count for; `['*']` means all projects. */
  readonly projects: readonly string[]
  /** Whether anybody can read its token, as that of a front end. */
  readonly isPublic: boolean
}

/** Counts of one flag as they are reported. */
export interface ToggleCounts {
  readonly yes?: number | undefined
  readonly no?: number | undefined
  readonly variants?: Readonly<Record<string, number>> | ReadonlyMap<string, number> | undefined
}

/** Whose counts: a reporter's, of an application, for a flag, in an hour (its start, milliseconds since 1970). */
export interface ReportKey {
  readonly reporter: Reporter
  readonly appName: string
  readonly featureName: string
  readonly hour: number
}

/** Counts as they were gathered; whether there is such a flag is not known yet. */
export interface ReportedCount extends ReportKey {
  readonly yes: number
  readonly no: number
  readonly variants: ReadonlyMap<string, number>
}

/** Counts that grow. */
export interface Sums {
  yes: number
  no: number
  readonly variants: Map<string, number>
}

/** Names that wait at most; names are the callers' choice, and a database may be away for long. */
const MOST_NAMES = 50_000
/** Three names and an environment make one key, and a key of PostgreSQL's indexes ends at 2,704 bytes. */
const MOST_NAME_BYTES = 500

/** Counts that wait to be written, of at most 50,000 names of flags and variants; further ones are dropped. */
export class UsageCounts {
  /** By who reports, of which application, in which hour; then by flag. */
  #counts = new Map<string, Map<string, ReportKey & Sums>>()
  #rows = 0
  #names = 0
  #dropped = 0

  /** How many names wait. */
  get waiting(): number {
    return this.#names
  }

  /** How many rows wait. */
  get rows(): number {
    return this.#rows
  }

  /** How many names were dropped since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /**
   * Adds the counts of a report to those that wait; counts that are all zero leave no trace. What cannot be stored is
   * dropped: it would keep all the rest from being written.
   */
  add(
    of: Omit<ReportKey, 'featureName'>,
    toggles: Iterable<readonly [featureName: string, counts: ToggleCounts]>,
  ): void {
    const id = JSON.stringify([of.reporter.key, of.appName, of.hour])
    const flags = this.#counts.get(id) ?? new Map<string, ReportKey & Sums>()
    for (const [featureName, toggle] of toggles) {
      if (isZero(toggle)) continue
      let sums = flags.get(featureName)
      if (sums === undefined) {
        if (!this.#hasRoom(featureName)) continue
        sums = { ...of, featureName, yes: 0, no: 0, variants: new Map() }
        flags.set(featureName, sums)
        this.#rows += 1
      }
      addCounts(sums, toggle, this.#letIn)
    }
    if (flags.size > 0) this.#counts.set(id, flags)
  }

  readonly #letIn = (variant: string): boolean => this.#hasRoom(variant)

  /** Notes names that were dropped elsewhere. */
  drop(names: number): void {
    this.#dropped += names
  }

  /** Takes all that wait; `add` them again when they could not be written. */
  take(): ReportedCount[] {
    const taken = [...this.#counts.values()].flatMap((flags) => [...flags.values()])
    this.#counts = new Map()
    this.#rows = 0
    this.#names = 0
    return taken
  }

  #hasRoom(name: string): boolean {
    const isTaken = isName(name) && this.#names < MOST_NAMES
    if (isTaken) this.#names += 1
    else this.#dropped += 1
    return isTaken
  }
}

/** Whether a name of an SDK's making can be stored, on every database, and stays different from every other. */
export function isName(name: string): boolean {
  return Buffer.byteLength(name) <= MOST_NAME_BYTES && !name.includes('\0') && name.isWellFormed()
}

/** True if a flag was not evaluated: some SDKs list every flag that they ever evaluated. */
function isZero({ yes = 0, no = 0, variants }: ToggleCounts): boolean {
  if (yes !== 0 || no !== 0) return false
  if (variants === undefined) return true
  const counts = variants instanceof Map ? variants.values() : Object.values(variants)
  return [...counts].every((count) => count === 0)
}

/** Adds counts to sums; a variant that the sums do not have yet is passed over where it is not let in. */
export function addCounts(
  sums: Sums,
  { yes = 0, no = 0, variants }: ToggleCounts,
  letIn: (variant: string) => boolean = () => true,
): void {
  sums.yes = sumOfCounts(sums.yes, yes)
  sums.no = sumOfCounts(sums.no, no)
  if (variants === undefined) return
  const listed = variants instanceof Map ? variants : Object.entries(variants)
  for (const [variant, more] of listed) {
    const before = sums.variants.get(variant)
    if (before === undefined && !letIn(variant)) continue
    sums.variants.set(variant, sumOfCounts(before ?? 0, more))
  }
}
