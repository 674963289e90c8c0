import { invalid, notFound } from '@burgee/kit/input/refusals'
import type {
  Milestone,
  MilestoneInput,
  MilestoneStrategy,
  MilestoneStrategyInput,
} from '@burgee/protocol/administration/release-plan'
import type { Reader } from '@burgee/storage/database'
import type { StoredMilestone, StoredMilestoneStrategy } from '@burgee/storage/queries/releases/release-tables'
import type { ChangeContext } from '../../core/execute.ts'
import { isoOrNull } from '../../core/iso-time.ts'
import type { FeatureRef } from '../flags/feature-ref.ts'
import { type StoredStrategyParts, toStrategyInput } from '../flags/stored-strategy-input.ts'
import { checkStrategies, checkStrategy } from '../flags/strategy-checks.ts'

/**
 * Stands for a flag without defaults, for strategies in templates. Each release plan fills in the defaults of its own
 * flag.
 */
const NO_FLAG: FeatureRef = { project: '', feature: '' }
const MINUTE_MS = 60_000

/**
 * Returns the milestones of a template in the form in which they are stored, sorted and with new ids. Throws
 * ValidationError, NotFoundError.
 */
export async function checkMilestones(
  reader: Reader,
  inputs: readonly MilestoneInput[],
  context: ChangeContext,
): Promise<StoredMilestone[]> {
  const milestones: StoredMilestone[] = []
  for (const [index, input] of inputs.entries())
    milestones.push(await checkMilestone(reader, { input, index }, context))
  return sortByOrder(milestones)
}

/** Milestone in a request body, with its index as the default sort order. */
interface IndexedMilestone {
  readonly input: MilestoneInput
  readonly index: number
}

/**
 * Returns a template's milestone in the form in which it is stored, with new ids. Throws ValidationError,
 * NotFoundError.
 */
export async function checkMilestone(
  reader: Reader,
  { input, index }: IndexedMilestone,
  context: ChangeContext,
): Promise<StoredMilestone> {
  const { name, sortOrder = index, transitionCondition, strategies = [] } = input
  const checked: StoredMilestoneStrategy[] = []
  for (const [at, strategy] of strategies.entries()) {
    checked.push(await checkMilestoneStrategy(reader, { sortOrder: at, ...strategy }, context))
  }
  return {
    id: context.newId(),
    name,
    sortOrder,
    intervalMinutes: transitionCondition?.intervalMinutes ?? null,
    startedAt: null,
    progressionExecutedAt: null,
    strategies: sortByOrder(checked),
  }
}

/**
 * Returns a template's strategy in the form in which it is stored, with a new id. Throws ValidationError,
 * NotFoundError.
 */
export async function checkMilestoneStrategy(
  reader: Reader,
  input: MilestoneStrategyInput,
  { newId }: Pick<ChangeContext, 'newId'>,
): Promise<StoredMilestoneStrategy> {
  const { strategyName: name, sortOrder = 0, ...parts } = input
  const { constraints, variants, segments } = await checkStrategy(reader, NO_FLAG, { name, ...parts })
  const { title = null, parameters = {} } = parts
  return { id: newId(), strategyName: name, title, sortOrder, parameters, constraints, variants, segments }
}

/**
 * Copies the milestones of a template for a flag, with new ids and the defaults of the flag, such as its group id.
 * Throws ValidationError if a segment belongs to another project or a strategy type no longer exists.
 */
export async function copyMilestones(
  reader: Reader,
  ref: FeatureRef,
  milestones: readonly StoredMilestone[],
  context: ChangeContext,
): Promise<StoredMilestone[]> {
  const all = milestones.flatMap(({ strategies }) => strategies)
  const bodies = all.map(({ strategyName: name, ...parts }) =>
    toStrategyInput({ name, ...parts, variants: parts.variants as StoredStrategyParts['variants'] }),
  )
  const checked = await checkStrategies(reader, ref, bodies)
  const copies = new Map(
    all.map((strategy, index) => {
      const { parameters = {}, constraints = [], variants = [], segments = [] } = checked[index] ?? {}
      return [strategy.id, { ...strategy, id: context.newId(), parameters, constraints, variants, segments }]
    }),
  )
  return milestones.map((milestone) => ({
    ...milestone,
    id: context.newId(),
    strategies: milestone.strategies.map(({ id }) => copies.get(id)).filter((copy) => copy !== undefined),
  }))
}

/** Returns items in display order; items with the same sort order stay in their original order. */
export function sortByOrder<T extends { readonly sortOrder: number }>(items: readonly T[]): T[] {
  return [...items].sort((one, other) => one.sortOrder - other.sortOrder)
}

/** Converts a milestone to its admin API form. */
export function toMilestoneView(owner: string, milestone: StoredMilestone, pausedAt: number | null): Milestone {
  const { id, name, sortOrder, intervalMinutes, startedAt, progressionExecutedAt, strategies } = milestone
  return {
    id,
    name,
    sortOrder,
    releasePlanDefinitionId: owner,
    startedAt: isoOrNull(startedAt),
    transitionCondition: intervalMinutes === null ? null : { intervalMinutes },
    progressionExecutedAt: isoOrNull(progressionExecutedAt),
    pausedAt: isoOrNull(pausedAt),
    strategies: strategies.map((strategy) => toMilestoneStrategyView(id, strategy)),
  }
}

/** Converts a strategy of a milestone to its admin API form. */
export function toMilestoneStrategyView(milestoneId: string, strategy: StoredMilestoneStrategy): MilestoneStrategy {
  return { milestoneId, ...strategy, variants: strategy.variants as MilestoneStrategy['variants'] }
}

/** Returns the milestone with the given id. Throws NotFoundError. */
export function requireMilestone<T extends { readonly id: string }>(milestones: readonly T[], id: string): T {
  const milestone = milestones.find((one) => one.id === id)
  if (milestone !== undefined) return milestone
  throw notFound(`There is no milestone with the id "${id}".`)
}

/** Returns the milestone that follows another milestone; undefined for the last milestone. */
export function findNextMilestone(milestones: readonly StoredMilestone[], id: string): StoredMilestone | undefined {
  const index = milestones.findIndex((one) => one.id === id)
  return index === -1 ? undefined : milestones[index + 1]
}

/**
 * Returns how long a milestone is active, in milliseconds, until the next one starts automatically; null if it does not
 * start automatically.
 */
export function getIntervalMs(milestones: readonly StoredMilestone[], id: string): number | null {
  const minutes = milestones.find((one) => one.id === id)?.intervalMinutes ?? null
  return minutes === null || findNextMilestone(milestones, id) === undefined ? null : minutes * MINUTE_MS
}

/**
 * Throws ValidationError if a milestone has no strategy: while the milestone is active, the flag would be off or get a
 * default strategy.
 */
export function requireStrategies(milestones: readonly StoredMilestone[]): void {
  if (milestones.length === 0) throw invalid('The template has no milestones.', 'body/templateId')
  const empty = milestones.find(({ strategies }) => strategies.length === 0)
  if (empty !== undefined) throw invalid(`The milestone "${empty.name}" has no strategies.`, 'body/templateId')
}
