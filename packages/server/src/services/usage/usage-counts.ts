import { sumOfCounts } from '@burgee/protocol/usage/count-sum'
import { KeptNames, type NameOwner, NameRoom } from '@burgee/serving/usage/name-room'

/** Who reports usage: a token, or the proxy in this process. */
export interface Reporter {
  /** Whose limits hold: one for each token. */
  readonly key: string
  readonly environment: string
  /** Whose flags it may count for; `['*']` means all projects. */
  readonly projects: readonly string[]
  /** Whether anybody can read its token, as that of a front end. */
  readonly isPublic: boolean
  /** Caller whose share of names the report counts for; undefined for this process. */
  readonly owner?: NameOwner | undefined
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
  readonly #room = new NameRoom({ names: MOST_NAMES, length: MOST_NAME_BYTES })
  readonly #names = new KeptNames(this.#room)

  /** How many names wait. */
  get waiting(): number {
    return this.#room.names
  }

  /** How many rows wait. */
  get rows(): number {
    return this.#rows
  }

  /** How many names were dropped since the start. */
  get dropped(): number {
    return this.#room.dropped
  }

  /**
   * Adds the counts of a report to those that wait; counts that are all zero leave no trace. What cannot be stored is
   * dropped: it would keep all the rest from being written.
   */
  add(
    of: Omit<ReportKey, 'featureName'>,
    toggles: Iterable<readonly [featureName: string, counts: ToggleCounts]>,
  ): void {
    const { owner } = of.reporter
    const id = JSON.stringify([of.reporter.key, of.appName, of.hour])
    const flags = this.#counts.get(id) ?? new Map<string, ReportKey & Sums>()
    for (const [featureName, toggle] of toggles) {
      if (isZero(toggle)) continue
      let sums = flags.get(featureName)
      if (sums === undefined) {
        if (!this.#hasRoom(featureName, owner)) continue
        sums = { ...of, featureName, yes: 0, no: 0, variants: new Map() }
        flags.set(featureName, sums)
        this.#rows += 1
      }
      addCounts(sums, toggle, (variant) => this.#hasRoom(variant, owner))
    }
    if (flags.size > 0) this.#counts.set(id, flags)
  }

  /** Notes names that were dropped elsewhere. */
  drop(names: number): void {
    this.#room.drop(names)
  }

  /** Puts back counts that could not be written. */
  restore({ featureName, yes, no, variants, ...of }: ReportedCount): void {
    const { owner: _owner, ...reporter } = of.reporter
    this.add({ ...of, reporter }, [[featureName, { yes, no, variants }]])
  }

  /** Takes all that wait; `restore` them when they could not be written. */
  take(): ReportedCount[] {
    const taken = [...this.#counts.values()].flatMap((flags) => [...flags.values()])
    this.#counts = new Map()
    this.#rows = 0
    this.#names.release()
    return taken
  }

  #hasRoom(name: string, owner: NameOwner | undefined): boolean {
    if (isName(name)) return this.#names.keep(name, owner)
    this.#room.drop(1)
    return false
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
