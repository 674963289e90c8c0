import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type { Tag } from '@burgee/protocol/event'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { FeatureEnvironmentRow, FeatureRow } from '@burgee/storage/queries/flags/features'
import type { DependencyRow, FlagRecord } from '@burgee/storage/queries/flags/flag-records'
import type { StrategyRow } from '@burgee/storage/queries/flags/strategies'
import type { FlagActivity, UsageSums } from '@burgee/storage/queries/usage/flag-activity'
import type { StageRow } from '@burgee/storage/queries/usage/stages'
import {
  type Exposure,
  getExposure,
  type PlanPosition,
  toAdminStrategy,
  toListEnvironment,
  toListItem,
  toPlanPosition,
} from '../flags/feature-views.ts'

/**
 * Flag in one environment, as cached for the admin API. Strategies are stored as JSON, which takes a third of the
 * memory that objects would take.
 */
export interface CatalogEnvironment extends FeatureEnvironmentRow, Exposure {
  /** List of `AdminStrategy` as JSON. */
  readonly strategies: string
  readonly hasStrategies: boolean
  /** Position in the release plan, if there is one. */
  readonly plan?: PlanPosition
}

/**
 * Usage of a flag since a given hour. The usage mark identifies the version of the usage data from which the counts
 * were read.
 */
export interface FlagCounts {
  readonly mark: number
  readonly sinceMs: number
  /** Counts, keyed by environment; environments without usage are missing. */
  readonly sums: ReadonlyMap<string, UsageSums>
}

const NO_COUNTS: FlagCounts['sums'] = new Map()
const NEVER: UsageSums = { yes: 0, no: 0 }

/** Flag as cached for the admin API. A change to the flag creates a new object; only the usage is updated in place. */
export class CatalogFlag {
  readonly environments: readonly CatalogEnvironment[]
  readonly tags: readonly Tag[]
  readonly parents: readonly DependencyRow[]
  readonly links: readonly FeatureLink[]
  /** Ids of the segments that the strategies of the flag use. */
  readonly segments: readonly number[]
  /** Name, description and tags in lower case, one per line, for text searches. */
  readonly words: string
  #row: FeatureRow
  #stages: readonly StageRow[]
  #usageMark: number
  #counts: FlagCounts | undefined
  #entry: EntryText | undefined
  /** Environments with their usage counts, as JSON. */
  #countedJson: string | undefined

  /** @param usageMark usage mark, read before the flag record */
  constructor({ row, environments, strategies, tags, parents, stages, links, plans }: FlagRecord, usageMark: number) {
    this.#row = row
    this.#usageMark = usageMark
    const own = Map.groupBy(strategies, (strategy) => strategy.environment)
    this.environments = environments.map((one) => {
      const plan = plans.find(({ environment }) => environment === one.environment)
      return {
        ...toCatalogEnvironment(one, own.get(one.environment) ?? []),
        ...(plan && { plan: toPlanPosition(plan) }),
      }
    })
    this.tags = tags
    this.parents = parents
    this.links = links
    this.#stages = stages
    this.segments = [...new Set(strategies.flatMap(({ segments }) => segments))]
    this.words = [row.name, row.description ?? '', ...tags.map(formatTag)].join('\n').toLowerCase()
  }

  get name(): string {
    return this.#row.name
  }

  get row(): FeatureRow {
    return this.#row
  }

  /** Stored lifecycle stages, oldest first. */
  get stages(): readonly StageRow[] {
    return this.#stages
  }

  get isArchived(): boolean {
    return this.#row.archived_at !== null
  }

  /** Returns true if the last-seen times are current. `usageMark` identifies the current state of the usage data. */
  isLastSeenCurrent(usageMark: number): boolean {
    return this.#usageMark === usageMark
  }

  /** Returns true if the counts are current. `usageMark` identifies the current state of the usage data. */
  isCountCurrent(usageMark: number, sinceMs: number): boolean {
    return this.#counts?.mark === usageMark && this.#counts.sinceMs === sinceMs
  }

  /** Updates the last-seen times of the flag and its environments. */
  updateLastSeen(seen: FlagActivity | undefined, usageMark: number): void {
    this.#usageMark = usageMark
    if (seen === undefined) return
    const isSame =
      seen.lastSeenAt === this.#row.last_seen_at &&
      seen.stages.length === this.#stages.length &&
      this.environments.every((one) => one.last_seen_at === (seen.environments.get(one.environment) ?? null))
    if (isSame) return
    this.#row = { ...this.#row, last_seen_at: seen.lastSeenAt }
    this.#stages = seen.stages
    for (const one of this.environments) one.last_seen_at = seen.environments.get(one.environment) ?? null
    this.#entry = undefined
    this.#countedJson = undefined
  }

  /** Updates the counts. */
  updateCounts(sums: FlagCounts['sums'] | undefined, mark: number, sinceMs: number): void {
    this.#counts = { mark, sinceMs, sums: sums ?? NO_COUNTS }
    this.#countedJson = undefined
  }

  /** Returns the strategies in one environment; empty if there are none. */
  strategiesIn(environment: string): AdminStrategy[] {
    const json = this.environments.find((one) => one.environment === environment)?.strategies
    return json === undefined ? [] : JSON.parse(json)
  }

  /** Returns the JSON of this flag for flag lists. */
  formatListEntry(isFavorite: boolean): string {
    const { before, after, environments } = this.#text()
    return `${before}${isFavorite}${after}${environments.map((one) => `${one}}`).join(',')}]}`
  }

  /**
   * Returns the JSON of this flag for search results. `more` is inserted after the environments and starts with a
   * comma.
   */
  formatSearchEntry(isFavorite: boolean, more: string): string {
    const { before, after } = this.#text()
    this.#countedJson ??= this.#countedText()
    return `${before}${isFavorite}${after}${this.#countedJson}]${more}}`
  }

  #countedText(): string {
    const counted = this.#text().environments.map((one, index) => {
      const { yes, no } = this.#counts?.sums.get(this.environments[index]?.environment ?? '') ?? NEVER
      return `${one},"yes":${yes},"no":${no}}`
    })
    return counted.join(',')
  }

  #text(): EntryText {
    this.#entry ??= splitEntry(this)
    return this.#entry
  }
}

/** Returns a tag in the form `type:value`. */
export function formatTag({ type, value }: Tag): string {
  return `${type}:${value}`
}

const FAVORITE = ',"favorite":'

/** JSON of a flag in a list, split at the favorite value and at the environments. */
interface EntryText {
  readonly before: string
  readonly after: string
  /** JSON of each environment, without its closing brace. */
  readonly environments: readonly string[]
}

/**
 * Splits the JSON of a flag. Quotes inside strings are escaped, so the first text that looks like the key really is the
 * key.
 */
function splitEntry(flag: CatalogFlag): EntryText {
  const json = JSON.stringify(toListItem(flag))
  const at = json.indexOf(`${FAVORITE}false,`) + FAVORITE.length
  return {
    before: json.slice(0, at),
    after: `${json.slice(at + 'false'.length, -1)},"environments":[`,
    environments: flag.environments.map((one) => JSON.stringify(toListEnvironment(one)).slice(0, -1)),
  }
}

function toCatalogEnvironment(row: FeatureEnvironmentRow, strategies: readonly StrategyRow[]): CatalogEnvironment {
  return {
    ...row,
    strategies: JSON.stringify(strategies.map(toAdminStrategy)),
    hasStrategies: strategies.length > 0,
    ...getExposure(strategies),
  }
}
