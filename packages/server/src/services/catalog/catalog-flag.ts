import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type { Tag } from '@burgee/protocol/event'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { FeatureEnvironmentRow, FeatureRow } from '../../store/features/features.ts'
import type { DependencyRow, FlagRecord } from '../../store/features/flag-records.ts'
import type { StrategyRow } from '../../store/features/strategies.ts'
import type { SeenFlag, UsageSums } from '../../store/usage/seen-flags.ts'
import type { StageRow } from '../../store/usage/stages.ts'
import { listEnvironmentOf, listItemOf, reachOf, strategyView } from '../features/feature-views.ts'

/** A flag in one environment; its strategies are kept as JSON, which takes a third of the memory. */
export interface CatalogEnvironment extends FeatureEnvironmentRow {
  /** A list of `AdminStrategy` as JSON. */
  readonly strategies: string
  readonly hasStrategies: boolean
  readonly hasEnabledStrategies: boolean
  readonly enabledStrategyCount: number
  readonly rollout: number | null
}

/** How often a flag was asked for from an hour on, as far as a state of the usage. */
export interface FlagCounts {
  readonly mark: number
  readonly sinceMs: number
  /** By environment; none where it was not asked for. */
  readonly sums: ReadonlyMap<string, UsageSums>
}

const NOBODY_ASKED: FlagCounts['sums'] = new Map()
const NEVER: UsageSums = { yes: 0, no: 0 }

/** A flag as administration shows it: what a change makes of it is another object, only its usage moves on. */
export class CatalogFlag {
  readonly environments: readonly CatalogEnvironment[]
  readonly tags: readonly Tag[]
  readonly parents: readonly DependencyRow[]
  readonly links: readonly FeatureLink[]
  /** Ids of the segments that its strategies use. */
  readonly segments: readonly number[]
  /** Name, description and tags in lower case, a line each: what a search looks through. */
  readonly words: string
  #row: FeatureRow
  #stages: readonly StageRow[]
  #usageMark: number
  #counts: FlagCounts | undefined
  #entry: EntryText | undefined
  /** Its environments with their counts, as JSON. */
  #counted: string | undefined

  /** @param usageMark where the usage stood before the record was read */
  constructor({ row, environments, strategies, tags, parents, stages, links }: FlagRecord, usageMark: number) {
    this.#row = row
    this.#usageMark = usageMark
    const own = Map.groupBy(strategies, (strategy) => strategy.environment)
    this.environments = environments.map((one) => environmentOf(one, own.get(one.environment) ?? []))
    this.tags = tags
    this.parents = parents
    this.links = links
    this.#stages = stages
    this.segments = [...new Set(strategies.flatMap(({ segments }) => segments))]
    this.words = [row.name, row.description ?? '', ...tags.map(tagText)].join('\n').toLowerCase()
  }

  get name(): string {
    return this.#row.name
  }

  get row(): FeatureRow {
    return this.#row
  }

  /** Stages that are stored, by time. */
  get stages(): readonly StageRow[] {
    return this.#stages
  }

  get isArchived(): boolean {
    return this.#row.archived_at !== null
  }

  /** Whether it is known when the flag was last asked for. */
  isSeenAt(usageMark: number): boolean {
    return this.#usageMark === usageMark
  }

  /** Whether it is known how often the flag was asked for. */
  isCountedAt(usageMark: number, sinceMs: number): boolean {
    return this.#counts?.mark === usageMark && this.#counts.sinceMs === sinceMs
  }

  /** Takes over when the flag was last asked for, here and in its environments. */
  see(seen: SeenFlag | undefined, usageMark: number): void {
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
    this.#counted = undefined
  }

  /** Takes over how often it was asked for. */
  count(sums: FlagCounts['sums'] | undefined, mark: number, sinceMs: number): void {
    this.#counts = { mark, sinceMs, sums: sums ?? NOBODY_ASKED }
    this.#counted = undefined
  }

  /** Strategies in one environment; empty where there are none. */
  strategiesIn(environment: string): AdminStrategy[] {
    const json = this.environments.find((one) => one.environment === environment)?.strategies
    return json === undefined ? [] : JSON.parse(json)
  }

  /** Its entry in a list, as JSON. */
  listed(isFavorite: boolean): string {
    const { before, after, environments } = this.#text()
    return `${before}${isFavorite}${after}${environments.map((one) => `${one}}`).join(',')}]}`
  }

  /** Its entry among what a search has found, as JSON; `more` is what follows the environments, with a comma in front. */
  found(isFavorite: boolean, more: string): string {
    const { before, after } = this.#text()
    this.#counted ??= this.#countedText()
    return `${before}${isFavorite}${after}${this.#counted}]${more}}`
  }

  #countedText(): string {
    const counted = this.#text().environments.map((one, index) => {
      const { yes, no } = this.#counts?.sums.get(this.environments[index]?.environment ?? '') ?? NEVER
      return `${one},"yes":${yes},"no":${no}}`
    })
    return counted.join(',')
  }

  #text(): EntryText {
    this.#entry ??= entryOf(this)
    return this.#entry
  }
}

/** A tag as people write it. */
export function tagText({ type, value }: Tag): string {
  return `${type}:${value}`
}

const FAVORITE = ',"favorite":'

/** An entry of a list as JSON: up to whether somebody likes the flag, from there to its environments, and these. */
interface EntryText {
  readonly before: string
  readonly after: string
  /** Without the brace at their end. */
  readonly environments: readonly string[]
}

/** A text within the JSON has its quotes escaped, so that what is found first is the key. */
function entryOf(flag: CatalogFlag): EntryText {
  const json = JSON.stringify(listItemOf(flag))
  const at = json.indexOf(`${FAVORITE}false,`) + FAVORITE.length
  return {
    before: json.slice(0, at),
    after: `${json.slice(at + 'false'.length, -1)},"environments":[`,
    environments: flag.environments.map((one) => JSON.stringify(listEnvironmentOf(one)).slice(0, -1)),
  }
}

function environmentOf(row: FeatureEnvironmentRow, strategies: readonly StrategyRow[]): CatalogEnvironment {
  return {
    ...row,
    strategies: JSON.stringify(strategies.map(strategyView)),
    hasStrategies: strategies.length > 0,
    ...reachOf(strategies),
  }
}
