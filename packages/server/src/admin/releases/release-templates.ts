import { notFound } from '@burgee/kit/input/refusals'
import type {
  MilestoneInput,
  MilestoneStrategyInput,
  ReleaseTemplate,
  ReleaseTemplateInput,
} from '@burgee/protocol/administration/release-plan'
import { MAX_MILESTONE_STRATEGIES, MAX_MILESTONES } from '@burgee/protocol/administration/release-plan'
import type { EventType } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { StoredMilestone, StoredMilestoneStrategy } from '@burgee/storage/queries/releases/release-tables'
import {
  deleteTemplate,
  findTemplate,
  insertTemplate,
  sumTemplates,
  type TemplateRow,
  updateTemplate,
} from '@burgee/storage/queries/releases/release-templates'
import type { Change, Outcome } from '../../core/execute.ts'
import { isoOrNull } from '../../core/iso-time.ts'
import {
  checkMilestone,
  checkMilestoneStrategy,
  checkMilestones,
  requireMilestone,
  sortByOrder,
  toMilestoneView,
} from './milestones.ts'

const MAX_TEMPLATES = 1000
/** Maximum length of the stored milestones of a template, in characters. Each event contains the milestones twice. */
const MAX_TEMPLATE_LENGTH = 1_000_000
/**
 * Maximum length of the stored milestones of all templates, in characters. The list of templates contains the
 * milestones of all templates.
 */
const MAX_TOTAL_LENGTH = 20_000_000

/** Converts a release template to its admin API form. */
export function toTemplateView(row: TemplateRow): ReleaseTemplate {
  return {
    id: row.id,
    discriminator: 'template',
    name: row.name,
    description: row.description,
    createdByUserId: row.created_by_user_id,
    createdAt: new Date(row.created_at).toISOString(),
    milestones: row.milestones.map((milestone) => toMilestoneView(row.id, milestone, null)),
    archivedAt: isoOrNull(row.archived_at),
  }
}

/** Returns a release template. Also returns archived templates. Throws NotFoundError. */
export async function requireTemplate(reader: Reader, id: string): Promise<TemplateRow> {
  const row = await findTemplate(reader, id)
  if (row !== undefined) return row
  throw notFound(`There is no release template with the id "${id}".`)
}

/**
 * Returns a release template that is not archived. Throws NotFoundError, and ConflictError for an archived template.
 */
export async function requireOpenTemplate(reader: Reader, id: string): Promise<TemplateRow> {
  const row = await requireTemplate(reader, id)
  if (row.archived_at === null) return row
  throw new Problem('ConflictError', `The release template "${row.name}" is archived.`)
}

/**
 * Creates a release template. Throws ValidationError, NotFoundError for a missing segment, and InvalidOperationError.
 */
export const createTemplate: Change<ReleaseTemplateInput, TemplateRow> = async (tx, body, context) => {
  const row: TemplateRow = {
    id: context.newId(),
    name: body.name,
    description: body.description ?? null,
    milestones: await checkMilestones(tx, body.milestones ?? [], context),
    created_by_user_id: context.author.userId,
    created_at: context.now,
    archived_at: null,
  }
  await requireTemplateRoom(tx, row)
  await insertTemplate(tx, row)
  return { result: row, events: [buildTemplateEvent('release-plan-template-created', { data: row })] }
}

/** Template, and its new name, description and milestones. */
export interface TemplateReplacement {
  readonly id: string
  readonly body: ReleaseTemplateInput
}

/**
 * Replaces a release template. Omitted description and milestones keep their value; given milestones get new ids. Plans
 * that were made from the template do not change. Throws NotFoundError, ConflictError, ValidationError.
 */
export const replaceTemplate: Change<TemplateReplacement, TemplateRow> = async (tx, { id, body }, context) => {
  const before = await requireOpenTemplate(tx, id)
  const { name, description = before.description, milestones } = body
  const next = milestones === undefined ? before.milestones : await checkMilestones(tx, milestones, context)
  return storeTemplate(tx, before, { ...before, name, description, milestones: next })
}

/** Archives a release template, so that no further plans are made from it. Throws NotFoundError, ConflictError. */
export const archiveTemplate: Change<{ readonly id: string }, TemplateRow> = async (tx, { id }, { now }) => {
  const before = await requireOpenTemplate(tx, id)
  const after = { ...before, archived_at: now }
  await updateTemplate(tx, after)
  const event = buildTemplateEvent('release-plan-template-archived', { data: after, preData: before })
  return { result: after, events: [event] }
}

/** Deletes a release template. Plans that were made from the template are not removed. Throws NotFoundError. */
export const removeTemplate: Change<{ readonly id: string }, void> = async (tx, { id }) => {
  const before = await requireTemplate(tx, id)
  await deleteTemplate(tx, id)
  return { result: undefined, events: [buildTemplateEvent('release-plan-template-deleted', { preData: before })] }
}

/** Appends a milestone to a template. Throws NotFoundError, ConflictError, ValidationError, InvalidOperationError. */
export const addMilestone: Change<{ readonly id: string; readonly body: MilestoneInput }, StoredMilestone> = async (
  tx,
  { id, body },
  context,
) => {
  const before = await requireOpenTemplate(tx, id)
  requireRoom(before.milestones, MAX_MILESTONES, 'milestones')
  const milestone = await checkMilestone(tx, { input: body, index: getNextOrder(before.milestones) }, context)
  return storeMilestones(tx, before, { milestones: [...before.milestones, milestone], result: milestone })
}

/** Milestone of a template. */
export interface MilestoneRef {
  readonly id: string
  readonly milestoneId: string
}

/**
 * Replaces a milestone of a template. The milestone keeps its id. Omitted strategies and sort order keep their value.
 * Throws NotFoundError, ConflictError, ValidationError.
 */
export const replaceMilestone: Change<MilestoneRef & { readonly body: MilestoneInput }, StoredMilestone> = async (
  tx,
  { id, milestoneId, body },
  context,
) => {
  const before = await requireOpenTemplate(tx, id)
  const known = requireMilestone(before.milestones, milestoneId)
  const checked = await checkMilestone(tx, { input: body, index: known.sortOrder }, context)
  const strategies = body.strategies === undefined ? known.strategies : checked.strategies
  return storeMilestone(tx, before, { ...checked, id: milestoneId, strategies })
}

/** Removes a milestone from a template. Throws NotFoundError, ConflictError. */
export const removeMilestone: Change<MilestoneRef, void> = async (tx, { id, milestoneId }) => {
  const before = await requireOpenTemplate(tx, id)
  requireMilestone(before.milestones, milestoneId)
  const milestones = before.milestones.filter((one) => one.id !== milestoneId)
  return storeMilestones(tx, before, { milestones, result: undefined })
}

/** Appends a strategy to a milestone. Throws NotFoundError, ConflictError, ValidationError, InvalidOperationError. */
export const addMilestoneStrategy: Change<
  MilestoneRef & { readonly body: MilestoneStrategyInput },
  StoredMilestoneStrategy
> = async (tx, { id, milestoneId, body }, context) => {
  const before = await requireOpenTemplate(tx, id)
  const milestone = requireMilestone(before.milestones, milestoneId)
  requireRoom(milestone.strategies, MAX_MILESTONE_STRATEGIES, 'strategies')
  const strategy = await checkMilestoneStrategy(tx, withOrder(body, getNextOrder(milestone.strategies)), context)
  const outcome = await storeMilestone(tx, before, {
    ...milestone,
    strategies: sortByOrder([...milestone.strategies, strategy]),
  })
  return { ...outcome, result: strategy }
}

/** Strategy of a milestone of a template. */
export interface MilestoneStrategyRef extends MilestoneRef {
  readonly strategyId: string
}

/**
 * Replaces a strategy of a milestone. The strategy keeps its id. Throws NotFoundError, ConflictError, ValidationError.
 */
export const replaceMilestoneStrategy: Change<
  MilestoneStrategyRef & { readonly body: MilestoneStrategyInput },
  StoredMilestoneStrategy
> = async (tx, { id, milestoneId, strategyId, body }, context) => {
  const before = await requireOpenTemplate(tx, id)
  const milestone = requireMilestone(before.milestones, milestoneId)
  const { sortOrder } = requireMilestoneStrategy(milestone, strategyId)
  const strategy = { ...(await checkMilestoneStrategy(tx, withOrder(body, sortOrder), context)), id: strategyId }
  const strategies = milestone.strategies.map((one) => (one.id === strategyId ? strategy : one))
  const outcome = await storeMilestone(tx, before, { ...milestone, strategies: sortByOrder(strategies) })
  return { ...outcome, result: strategy }
}

/** Removes a strategy from a milestone. Throws NotFoundError, ConflictError. */
export const removeMilestoneStrategy: Change<MilestoneStrategyRef, void> = async (
  tx,
  { id, milestoneId, strategyId },
) => {
  const before = await requireOpenTemplate(tx, id)
  const milestone = requireMilestone(before.milestones, milestoneId)
  requireMilestoneStrategy(milestone, strategyId)
  const strategies = milestone.strategies.filter((one) => one.id !== strategyId)
  const outcome = await storeMilestone(tx, before, { ...milestone, strategies })
  return { ...outcome, result: undefined }
}

function requireMilestoneStrategy({ strategies }: StoredMilestone, id: string): StoredMilestoneStrategy {
  const strategy = strategies.find((one) => one.id === id)
  if (strategy !== undefined) return strategy
  throw notFound(`There is no strategy with the id "${id}" in this milestone.`)
}

function withOrder(strategy: MilestoneStrategyInput, sortOrder: number): MilestoneStrategyInput {
  return { ...strategy, sortOrder: strategy.sortOrder ?? sortOrder }
}

function requireRoom(items: readonly unknown[], max: number, name: string): void {
  if (items.length < max) return
  throw new Problem('InvalidOperationError', `There are ${items.length} ${name}, the maximum.`)
}

function getNextOrder(items: readonly { readonly sortOrder: number }[]): number {
  return items.reduce((last, { sortOrder }) => Math.max(last, sortOrder), -1) + 1
}

async function storeMilestone(
  tx: Tx,
  before: TemplateRow,
  milestone: StoredMilestone,
): Promise<Outcome<StoredMilestone>> {
  const milestones = before.milestones.map((one) => (one.id === milestone.id ? milestone : one))
  return storeMilestones(tx, before, { milestones, result: milestone })
}

async function storeMilestones<R>(
  tx: Tx,
  before: TemplateRow,
  { milestones, result }: { readonly milestones: readonly StoredMilestone[]; readonly result: R },
): Promise<Outcome<R>> {
  const { events } = await storeTemplate(tx, before, { ...before, milestones: sortByOrder(milestones) })
  return { result, events }
}

/** Stores a template. If nothing changes, does nothing and creates no event. */
async function storeTemplate(tx: Tx, before: TemplateRow, after: TemplateRow): Promise<Outcome<TemplateRow>> {
  if (JSON.stringify(before) === JSON.stringify(after)) return { result: before, events: [] }
  if (measure(after) > measure(before)) await requireTemplateRoom(tx, after)
  await updateTemplate(tx, after)
  const event = buildTemplateEvent('release-plan-template-updated', { data: after, preData: before })
  return { result: after, events: [event] }
}

/**
 * Throws InvalidOperationError if there are too many templates, or if the milestones of this template or of all
 * templates are too long.
 */
async function requireTemplateRoom(tx: Tx, template: TemplateRow): Promise<void> {
  const length = measure(template)
  if (length > MAX_TEMPLATE_LENGTH)
    throw createLimitProblem(`The milestones have ${length} characters, the maximum is`, MAX_TEMPLATE_LENGTH)
  const others = await sumTemplates(tx, template.id)
  if (others.count >= MAX_TEMPLATES)
    throw createLimitProblem('The maximum number of release templates is reached:', MAX_TEMPLATES)
  if (others.length + length > MAX_TOTAL_LENGTH)
    throw createLimitProblem(
      'The milestones of all release templates are too long. The maximum number of characters is',
      MAX_TOTAL_LENGTH,
    )
}

const measure = ({ milestones }: TemplateRow): number => JSON.stringify(milestones).length

const createLimitProblem = (text: string, max: number): Problem =>
  new Problem('InvalidOperationError', `${text} ${max.toLocaleString('en-US')}.`)

type TemplateEvent = Extract<EventType, `release-plan-template-${string}`>

function buildTemplateEvent(
  type: TemplateEvent,
  { data, preData }: { readonly data?: TemplateRow; readonly preData?: TemplateRow },
): NewEvent {
  return {
    type,
    ...(data && { data: toTemplateView(data) }),
    ...(preData && { preData: toTemplateView(preData) }),
  }
}
