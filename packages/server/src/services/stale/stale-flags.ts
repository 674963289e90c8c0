import { runInSlices } from '@burgee/kit/slices'
import type {
  StaleCount,
  StaleFlag,
  StaleFlags,
  StaleReason,
  StaleSearch,
} from '@burgee/protocol/administration/stale-flags'
import type { Reader } from '../../store/database.ts'
import { historyStart, lastChanges } from '../../store/features/last-openings.ts'
import { lifetimes } from '../../store/features/lifetimes.ts'
import { type SnoozeRow, snoozesAt } from '../../store/features/snoozes.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import { BY_NAME } from '../catalog/flag-table.ts'
import type { World } from '../world.ts'
import { openEnvironments } from './open-to-everybody.ts'
import { staleReasons } from './stale-reasons.ts'

/** Flags that could be removed. All methods reject with database errors. */
export interface StaleInbox {
  /** Returns a page of stale flags, sorted by number of reasons, then by age. Omits flags of hidden projects. */
  find(search: StaleSearch, hidden?: readonly string[]): Promise<StaleFlags>
  /** Counts stale flags. */
  count(search: Pick<StaleSearch, 'project'>, hidden?: readonly string[]): Promise<StaleCount>
}

const DEFAULT_LIMIT = 50
/** Interval for reading last-seen times; staleness changes only over days. */
const SEEN_EVERY_MS = 60_000

/** Flag with the reasons to remove it. */
interface Assessed {
  readonly flag: CatalogFlag
  readonly reasons: readonly StaleReason[]
}

/**
 * Creates the inbox from the catalog. All flags are assessed again once a flag has changed or a minute has passed; the
 * event log is queried only for flags changed since then.
 */
export function createStaleInbox({
  catalog,
  db,
  clock,
}: Pick<World, 'db' | 'clock'> & { readonly catalog: Catalog }): StaleInbox {
  const openings = new Openings()
  let known: { readonly of: string; readonly minute: number; readonly assessed: Promise<Assessed[]> } | undefined
  const assess = async (minute: number): Promise<Assessed[]> => {
    const { table } = await catalog.flags()
    const flags = [...table.sorted(false, 'name asc', BY_NAME)]
    await catalog.see(flags)
    return db.scan((reader) => assessAll(reader, flags, openings, minute * SEEN_EVERY_MS))
  }
  const assessedNow = async (): Promise<Assessed[]> => {
    const { version } = await catalog.flags()
    const minute = Math.floor(clock() / SEEN_EVERY_MS)
    const of = `${version} ${minute}`
    if (known?.of !== of) {
      const assessed = assess(minute)
      known = { of, minute, assessed }
      assessed.catch(() => {
        known = undefined
      })
    }
    return known.assessed
  }
  /**
   * Returns the result of the last assessment, without flags archived since then, so that counting does not trigger an
   * assessment.
   */
  const assessedLately = async (): Promise<Assessed[]> => {
    const { table } = await catalog.flags()
    if (known?.minute !== Math.floor(clock() / SEEN_EVERY_MS)) return assessedNow()
    return (await known.assessed).filter(({ flag }) => table.find(flag.name)?.isArchived === false)
  }
  const split = async (
    { project }: Pick<StaleSearch, 'project'>,
    hidden: readonly string[],
    assessed: () => Promise<Assessed[]>,
  ) => {
    const snoozes = await snoozesAt(db.reader, clock())
    const own = (await assessed()).filter(
      ({ flag: { row } }) => (project === undefined || row.project === project) && !hidden.includes(row.project),
    )
    const [snoozed, open] = [true, false].map((is) => own.filter(({ flag }) => snoozes.has(flag.name) === is))
    return { snoozes, snoozed: snoozed ?? [], open: open ?? [] }
  }
  return {
    async find(search, hidden = []) {
      const { snoozes, snoozed, open } = await split(search, hidden, assessedNow)
      const { reason, offset = 0, limit = DEFAULT_LIMIT } = search
      const which = search.snoozed === true ? snoozed : open
      const found =
        reason === undefined ? which : which.filter(({ reasons }) => reasons.some((one) => one.kind === reason))
      const page = found.slice(offset, offset + limit).map((one) => viewOf(one, snoozes.get(one.flag.name)))
      return { flags: page, total: found.length, snoozed: snoozed.length }
    },
    async count(search, hidden = []) {
      const { snoozed, open } = await split(search, hidden, assessedLately)
      return { total: open.length, snoozed: snoozed.length }
    },
  }
}

async function assessAll(
  reader: Reader,
  flags: readonly CatalogFlag[],
  openings: Openings,
  now: number,
): Promise<Assessed[]> {
  const lives = new Map((await lifetimes(reader)).map(({ type, days }) => [type, days]))
  const knownSince = await historyStart(reader)
  await openings.learn(reader, flags)
  const reasonsOf = (flag: CatalogFlag): readonly StaleReason[] => {
    const { places, changedAt } = openings.of(flag)
    const openSince = Math.max(changedAt, flag.row.created_at, changedAt === 0 ? knownSince : 0)
    const facts = { now, lifetimeDays: lives.get(flag.row.type), openIn: places, openSince, knownSince }
    return staleReasons(flag.row, facts)
  }
  return runInSlices(assessing(flags, reasonsOf))
}

function* assessing(
  flags: readonly CatalogFlag[],
  reasonsOf: (flag: CatalogFlag) => readonly StaleReason[],
): Generator<void, Assessed[]> {
  const found: Assessed[] = []
  for (const flag of flags) {
    const reasons = reasonsOf(flag)
    if (reasons.length > 0) found.push({ flag, reasons })
    yield
  }
  return found.sort((a, b) => b.reasons.length - a.reasons.length || a.flag.row.created_at - b.flag.row.created_at)
}

interface Opening {
  readonly places: readonly string[]
  /**
   * Time of the flag's last change in the environment, in milliseconds since 1970; 0 if the event log does not contain
   * it.
   */
  readonly changedAt: number
}

const CLOSED: Opening = { places: [], changedAt: 0 }

/**
 * Cache of the environments in which flags are on for everyone, and the time since when they are. A change creates a
 * new flag object, so each is looked up once.
 */
class Openings {
  readonly #known = new WeakMap<CatalogFlag, Opening>()

  of(flag: CatalogFlag): Opening {
    return this.#known.get(flag) ?? CLOSED
  }

  async learn(reader: Reader, flags: readonly CatalogFlag[]): Promise<void> {
    const open = new Map<CatalogFlag, readonly string[]>()
    for (const flag of flags) {
      if (this.#known.has(flag)) continue
      const places = openEnvironments(flag)
      if (places.length === 0) this.#known.set(flag, CLOSED)
      else open.set(flag, places)
    }
    const changes = await lastChanges(
      reader,
      [...open.keys()].map(({ name }) => name),
    )
    for (const [flag, places] of open) {
      const own = changes.get(flag.name)
      const changedAt = Math.max(0, ...[...places, ''].map((place) => own?.get(place) ?? 0))
      this.#known.set(flag, { places, changedAt })
    }
  }
}

function viewOf({ flag, reasons }: Assessed, snooze: SnoozeRow | undefined): StaleFlag {
  return {
    feature: JSON.parse(flag.listed(false)),
    reasons: [...reasons],
    owner: flag.row.created_by,
    snooze: snooze === undefined ? null : { until: new Date(snooze.until).toISOString(), createdBy: snooze.created_by },
  }
}
