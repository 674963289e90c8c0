import { runInSlices } from '@burgee/kit/slices'
import type {
  StaleCount,
  StaleFlag,
  StaleFlags,
  StaleReason,
  StaleSearch,
} from '@burgee/protocol/administration/stale-flags'
import type { Reader } from '@burgee/storage/database'
import { type CodeStatus, readCodeStatuses } from '@burgee/storage/queries/code-references/code-statuses'
import { readHistoryStart, readLastAudienceChanges } from '@burgee/storage/queries/flags/audience-changes'
import { listLifetimes } from '@burgee/storage/queries/flags/lifetimes'
import { readSnoozesAt, type SnoozeRow } from '@burgee/storage/queries/flags/snoozes'
import type { World } from '../../core/world.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import { BY_NAME } from '../catalog/flag-table.ts'
import { toCodeStatus } from '../removal/code-links.ts'
import { getOpenEnvironments } from './open-to-everyone.ts'
import { getStaleReasons } from './stale-reasons.ts'

/** Service that lists flags that could be removed. All methods reject with database errors. */
export interface StaleInbox {
  /**
   * Returns a page of stale flags, sorted by their number of reasons and then by age. Omits flags of hidden projects.
   */
  find(search: StaleSearch, hidden?: readonly string[]): Promise<StaleFlags>
  /** Counts stale flags. */
  count(search: Pick<StaleSearch, 'project'>, hidden?: readonly string[]): Promise<StaleCount>
}

const DEFAULT_LIMIT = 50
/** Interval at which last-seen times are read; flags become stale only over days. */
const LAST_SEEN_INTERVAL_MS = 60_000

/** Flag with the reasons to remove it. */
interface AssessedFlag {
  readonly flag: CatalogFlag
  readonly reasons: readonly StaleReason[]
}

/**
 * Creates the inbox from the catalog. All flags are assessed again once a flag has changed or a minute has passed. The
 * event log is queried only for flags that have changed since the last assessment.
 */
export function createStaleInbox({
  catalog,
  db,
  clock,
}: Pick<World, 'db' | 'clock'> & { readonly catalog: Catalog }): StaleInbox {
  const assessments = new Assessments(catalog, db, clock)
  const split = async (
    { project }: Pick<StaleSearch, 'project'>,
    hidden: readonly string[],
    assessed: readonly AssessedFlag[],
  ) => {
    const snoozes = await readSnoozesAt(db.reader, clock())
    const own = assessed.filter(
      ({ flag: { row } }) => (project === undefined || row.project === project) && !hidden.includes(row.project),
    )
    const [snoozed, open] = [true, false].map((is) => own.filter(({ flag }) => snoozes.has(flag.name) === is))
    return { snoozes, snoozed: snoozed ?? [], open: open ?? [] }
  }
  return {
    async find(search, hidden = []) {
      const { snoozes, snoozed, open } = await split(search, hidden, await assessments.readCurrent())
      const { reason, offset = 0, limit = DEFAULT_LIMIT } = search
      const which = search.snoozed === true ? snoozed : open
      const found =
        reason === undefined ? which : which.filter(({ reasons }) => reasons.some((one) => one.kind === reason))
      const page = found.slice(offset, offset + limit)
      const names = page.map(({ flag }) => flag.name)
      const statuses = await readCodeStatuses(db.reader, names)
      const flags = page.map((one) => {
        const { name } = one.flag
        return toStaleFlag(one, { snooze: snoozes.get(name), code: statuses.get(name) })
      })
      return { flags, total: found.length, snoozed: snoozed.length }
    },
    async count(search, hidden = []) {
      const { snoozed, open } = await split(search, hidden, await assessments.readRecent())
      return { total: open.length, snoozed: snoozed.length }
    },
  }
}

/** Assessment of all flags, which is repeated once a flag has changed or a minute has passed. */
class Assessments {
  readonly #catalog: Catalog
  readonly #db: World['db']
  readonly #clock: World['clock']
  readonly #openings = new Openings()
  #last: { readonly key: string; readonly minute: number; readonly assessed: Promise<AssessedFlag[]> } | undefined

  constructor(catalog: Catalog, db: World['db'], clock: World['clock']) {
    this.#catalog = catalog
    this.#db = db
    this.#clock = clock
  }

  /** Returns all flags in their current state, each with its reasons. */
  async readCurrent(): Promise<AssessedFlag[]> {
    const { version } = await this.#catalog.flags()
    const minute = this.#getMinute()
    const key = `${version} ${minute}`
    if (this.#last?.key !== key) {
      const assessed = this.#assess(minute)
      this.#last = { key, minute, assessed }
      assessed.catch(() => {
        this.#last = undefined
      })
    }
    return this.#last.assessed
  }

  /**
   * Returns the result of the last assessment, without flags that have been archived since. Used for counts, which must
   * not trigger an assessment.
   */
  async readRecent(): Promise<AssessedFlag[]> {
    const { table } = await this.#catalog.flags()
    if (this.#last?.minute !== this.#getMinute()) return this.readCurrent()
    return (await this.#last.assessed).filter(({ flag }) => table.find(flag.name)?.isArchived === false)
  }

  #getMinute(): number {
    return Math.floor(this.#clock() / LAST_SEEN_INTERVAL_MS)
  }

  async #assess(minute: number): Promise<AssessedFlag[]> {
    const { table } = await this.#catalog.flags()
    const flags = [...table.sorted(false, 'name asc', BY_NAME)]
    await this.#catalog.refreshUsage(flags)
    return this.#db.scan((reader) => assessAll(reader, flags, this.#openings, minute * LAST_SEEN_INTERVAL_MS))
  }
}

async function assessAll(
  reader: Reader,
  flags: readonly CatalogFlag[],
  openings: Openings,
  now: number,
): Promise<AssessedFlag[]> {
  const lives = new Map((await listLifetimes(reader)).map(({ type, days }) => [type, days]))
  const knownSince = await readHistoryStart(reader)
  await openings.load(reader, flags)
  const reasonsOf = (flag: CatalogFlag): readonly StaleReason[] => {
    const { environments, changedAt } = openings.get(flag)
    const openSince = Math.max(changedAt, flag.row.created_at, changedAt === 0 ? knownSince : 0)
    const facts = { now, lifetimeDays: lives.get(flag.row.type), openIn: environments, openSince, knownSince }
    return getStaleReasons(flag.row, facts)
  }
  return runInSlices(assessInSteps(flags, reasonsOf))
}

function* assessInSteps(
  flags: readonly CatalogFlag[],
  reasonsOf: (flag: CatalogFlag) => readonly StaleReason[],
): Generator<void, AssessedFlag[]> {
  const found: AssessedFlag[] = []
  for (const flag of flags) {
    const reasons = reasonsOf(flag)
    if (reasons.length > 0) found.push({ flag, reasons })
    yield
  }
  return found.sort((a, b) => b.reasons.length - a.reasons.length || a.flag.row.created_at - b.flag.row.created_at)
}

interface Opening {
  readonly environments: readonly string[]
  /**
   * Time of the flag's last change in the environment, in milliseconds since 1970; 0 if the event log contains no such
   * change.
   */
  readonly changedAt: number
}

const NOT_OPEN: Opening = { environments: [], changedAt: 0 }

/**
 * Cache of the environments in which each flag is on for everyone, and of the time since when this is so. A change to a
 * flag creates a new object, so each object is looked up only once.
 */
class Openings {
  readonly #cache = new WeakMap<CatalogFlag, Opening>()

  get(flag: CatalogFlag): Opening {
    return this.#cache.get(flag) ?? NOT_OPEN
  }

  async load(reader: Reader, flags: readonly CatalogFlag[]): Promise<void> {
    const open = new Map<CatalogFlag, readonly string[]>()
    for (const flag of flags) {
      if (this.#cache.has(flag)) continue
      const places = getOpenEnvironments(flag)
      if (places.length === 0) this.#cache.set(flag, NOT_OPEN)
      else open.set(flag, places)
    }
    const changes = await readLastAudienceChanges(
      reader,
      [...open.keys()].map(({ name }) => name),
    )
    for (const [flag, places] of open) {
      const own = changes.get(flag.name)
      const changedAt = Math.max(0, ...[...places, ''].map((place) => own?.get(place) ?? 0))
      this.#cache.set(flag, { environments: places, changedAt })
    }
  }
}

interface StaleFlagDetails {
  readonly snooze: SnoozeRow | undefined
  readonly code: CodeStatus | undefined
}

function toStaleFlag({ flag, reasons }: AssessedFlag, { snooze, code }: StaleFlagDetails): StaleFlag {
  return {
    feature: JSON.parse(flag.formatListEntry(false)),
    reasons: [...reasons],
    owner: flag.row.created_by,
    code: code === undefined ? null : toCodeStatus(code),
    snooze: snooze === undefined ? null : { until: new Date(snooze.until).toISOString(), createdBy: snooze.created_by },
  }
}
