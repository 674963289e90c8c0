import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ProgressionInput, ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { EventType } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  deletePlan,
  findPlan,
  insertPlan,
  type PlanRow,
  updatePlan,
} from '@burgee/storage/queries/releases/release-plans'
import type { Change, ChangeContext, Outcome } from '../../core/execute.ts'
import { isoOrNull } from '../../core/iso-time.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from '../flags/feature-ref.ts'
import { addActiveStrategies, removeActiveStrategies } from './active-strategies.ts'
import {
  copyMilestones,
  findNextMilestone,
  requireMilestone,
  requireStrategies,
  toMilestoneView,
} from './milestones.ts'
import { activateMilestone, type PlanTime, pausePlan, resumePlan, setInterval } from './plan-progress.ts'
import { requireOpenTemplate } from './release-templates.ts'
import { rearmSafeguards, toSafeguardView } from './safeguards.ts'

/** Converts a release plan to its admin API form. */
export function toPlanView(row: PlanRow): ReleasePlan {
  const { id, active_milestone_id: active, started_at: startedAt } = row
  return {
    id,
    discriminator: 'plan',
    name: row.name,
    description: row.description,
    featureName: row.feature_name,
    environment: row.environment,
    createdByUserId: row.created_by_user_id,
    createdAt: new Date(row.created_at).toISOString(),
    activeMilestoneId: startedAt === null ? null : active,
    nextMilestoneAt: isoOrNull(row.due_at),
    milestones: row.milestones.map((one) =>
      one.id === active ? toMilestoneView(id, { ...one, startedAt }, row.paused_at) : toMilestoneView(id, one, null),
    ),
    releasePlanTemplateId: row.template_id,
    safeguards: row.safeguards.filter((one) => one.plan_id === id).map(toSafeguardView),
  }
}

/** Release plan of a flag in an environment. */
export interface PlanRef extends FeatureEnvironmentRef {
  readonly planId: string
}

/**
 * Adds a plan that copies the milestones of a template. The strategies of the first milestone are added to the flag at
 * once, but the milestone's clock only runs while the flag is on. Throws NotFoundError, ValidationError, and
 * ConflictError if there already is a plan or the template is archived.
 */
export const addPlan: Change<FeatureEnvironmentRef & { readonly templateId: string }, PlanRow> = async (
  tx,
  { templateId, ...ref },
  context,
) => {
  const state = await requireFeatureEnvironment(tx, ref)
  const known = await findPlan(tx, ref)
  if (known !== undefined) throw createSecondPlan(ref, known)
  const template = await requireOpenTemplate(tx, templateId)
  requireStrategies(template.milestones)
  const milestones = await copyMilestones(tx, ref, template.milestones, context)
  const [first] = milestones
  if (first === undefined) throw invalid('The template has no milestones.', 'body/templateId')
  const empty: PlanRow = {
    id: context.newId(),
    feature_name: ref.feature,
    environment: ref.environment,
    template_id: templateId,
    name: template.name,
    description: template.description,
    milestones,
    created_by_user_id: context.author.userId,
    created_at: context.now,
    active_milestone_id: first.id,
    started_at: null,
    active_since: null,
    elapsed_ms: 0,
    interval_ms: null,
    due_at: null,
    paused_at: null,
    safeguards: [],
  }
  const plan = activateMilestone(empty, first.id, { now: context.now, isOn: state.enabled === 1 })
  await insertPlan(tx, plan)
  const events = [
    buildPlanEvent('release-plan-added', ref, { data: toPlanView(plan) }),
    ...(await addActiveStrategies(tx, ref, plan, context)),
  ]
  return { result: plan, events }
}

function createSecondPlan({ feature, environment }: FeatureEnvironmentRef, { name }: PlanRow): Problem {
  const text = `The flag "${feature}" already has the release plan "${name}" in the environment "${environment}". Remove it first.`
  return new Problem('ConflictError', text)
}

/**
 * Removes a plan and the strategies of its active milestone. If the flag has no other enabled strategy in the
 * environment, turns the flag off in this environment. Throws NotFoundError.
 */
export const removePlan: Change<PlanRef, void> = async (tx, ref) => {
  const { plan } = await requirePlan(tx, ref)
  const removed = await removeActiveStrategies(tx, ref, plan)
  await deletePlan(tx, plan.id)
  const event = buildPlanEvent('release-plan-removed', ref, { preData: toPlanView(plan) })
  return { result: undefined, events: [event, ...removed] }
}

/**
 * Starts a milestone, which can also be an earlier milestone; does nothing if the milestone is already active. Throws
 * NotFoundError.
 */
export const startMilestone: Change<PlanRef & { readonly milestoneId: string }, PlanRow> = async (
  tx,
  { milestoneId, ...ref },
  context,
) => {
  const { plan, isOn } = await requirePlan(tx, ref)
  requireMilestone(plan.milestones, milestoneId)
  if (plan.active_milestone_id === milestoneId) return { result: plan, events: [] }
  return moveTo(tx, { ref, plan, milestoneId, time: { now: context.now, isOn } }, context)
}

/** Transition of a plan from its active milestone to another milestone. */
interface PlanStep {
  readonly ref: FeatureEnvironmentRef
  readonly plan: PlanRow
  readonly milestoneId: string
  readonly time: PlanTime
}

/**
 * Activates another milestone. Adds the strategies of the new milestone to the flag before removing the strategies of
 * the old milestone, so that the flag always has a strategy.
 */
export async function moveTo(
  tx: Tx,
  { ref, plan, milestoneId, time }: PlanStep,
  context: ChangeContext,
): Promise<Outcome<PlanRow>> {
  const next = activateMilestone(plan, milestoneId, time)
  const added = await addActiveStrategies(tx, ref, next, context)
  const removed = await removeActiveStrategies(tx, ref, plan)
  await updatePlan(tx, next)
  const states = { data: toPlanView(next), preData: toPlanView(plan) }
  const event = buildPlanEvent('release-plan-milestone-started', ref, states)
  return { result: next, events: [event, ...added, ...removed] }
}

/** Pauses the automatic progressions of a plan; does nothing if the plan is already paused. Throws NotFoundError. */
export const pauseProgressions: Change<PlanRef, PlanRow> = async (tx, ref, { now }) => {
  const { plan } = await requirePlan(tx, ref)
  if (plan.paused_at !== null) return { result: plan, events: [] }
  return storePlan(tx, { ref, plan, next: pausePlan(plan, { now }) }, 'release-plan-progressions-paused')
}

/** Resumes the automatic progressions of a plan; does nothing if the plan is not paused. Throws NotFoundError. */
export const resumeProgressions: Change<PlanRef, PlanRow> = async (tx, ref, { now }) => {
  const { plan, isOn } = await requirePlan(tx, ref)
  if (plan.paused_at === null) return { result: plan, events: [] }
  const safeguards = await rearmSafeguards(tx, plan.safeguards, { now })
  const next = { ...resumePlan(plan, { now, isOn }), safeguards }
  return storePlan(tx, { ref, plan, next }, 'release-plan-progressions-resumed')
}

/** Milestone of a flag's plan after which the next milestone starts automatically. */
export interface ProgressionRef extends FeatureEnvironmentRef {
  readonly sourceMilestoneId: string
}

/**
 * Sets how long after the start of a milestone the next one starts. Throws NotFoundError, and ValidationError if the
 * target is not the next milestone.
 */
export const setProgression: Change<ProgressionRef & { readonly body: ProgressionInput }, PlanRow> = async (
  tx,
  { sourceMilestoneId, body, ...ref },
) => {
  const { plan } = await requirePlan(tx, ref)
  const source = requireMilestone(plan.milestones, sourceMilestoneId)
  const next = findNextMilestone(plan.milestones, source.id)
  if (next?.id !== body.targetMilestone) {
    throw invalid('"targetMilestone" must be the milestone after the source milestone', 'body/targetMilestone')
  }
  const { intervalMinutes } = body.transitionCondition
  if (source.intervalMinutes === intervalMinutes) return { result: plan, events: [] }
  const type = source.intervalMinutes === null ? 'milestone-progression-created' : 'milestone-progression-updated'
  return storePlan(tx, { ref, plan, next: setInterval(plan, source.id, intervalMinutes) }, type)
}

/**
 * Removes the automatic start of the next milestone; does nothing if there is no automatic start. Throws NotFoundError.
 */
export const removeProgression: Change<ProgressionRef, PlanRow> = async (tx, { sourceMilestoneId, ...ref }) => {
  const { plan } = await requirePlan(tx, ref)
  const source = requireMilestone(plan.milestones, sourceMilestoneId)
  if (source.intervalMinutes === null) return { result: plan, events: [] }
  const next = setInterval(plan, source.id, null)
  return storePlan(tx, { ref, plan, next }, 'milestone-progression-deleted')
}

/** Stores the progress of a plan. */
export async function storePlan(
  tx: Tx,
  { ref, plan, next }: { readonly ref: FeatureEnvironmentRef; readonly plan: PlanRow; readonly next: PlanRow },
  type: PlanEvent,
): Promise<Outcome<PlanRow>> {
  await updatePlan(tx, next)
  const states = { data: toPlanView(next), preData: toPlanView(plan) }
  return { result: next, events: [buildPlanEvent(type, ref, states)] }
}

/**
 * Returns the plan of a flag in an environment, and the on/off state of the flag in this environment. Throws
 * NotFoundError.
 */
export async function requirePlan(
  reader: Reader,
  { planId, ...ref }: FeatureEnvironmentRef & { readonly planId?: string },
): Promise<{ readonly plan: PlanRow; readonly isOn: boolean }> {
  const { enabled } = await requireFeatureEnvironment(reader, ref)
  const plan = await findPlan(reader, ref)
  if (plan !== undefined && (planId === undefined || plan.id === planId)) return { plan, isOn: enabled === 1 }
  if (planId !== undefined) throw notFound(`There is no release plan with the id "${planId}".`)
  throw notFound(`The flag "${ref.feature}" has no release plan in the environment "${ref.environment}".`)
}

type PlanEvent = Extract<EventType, `release-plan-${string}` | `milestone-progression-${string}`>

function buildPlanEvent(
  type: PlanEvent,
  { project, feature, environment }: FeatureEnvironmentRef,
  states: { readonly data?: ReleasePlan; readonly preData?: ReleasePlan },
): NewEvent {
  return { type, project, environment, featureName: feature, ...states }
}
