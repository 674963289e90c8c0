import type { SafeguardDefinition } from '@burgee/protocol/administration/safeguard'
import { type Selectable, sql } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'
import { listMilestoneSegments } from './release-templates.ts'
import { listSafeguards, type SafeguardRow } from './safeguards.ts'

/** Stored release plan, together with the safeguards of the same flag and environment. */
export type PlanRow = Selectable<Schema['release_plans']> & { readonly safeguards: readonly SafeguardRow[] }

/** Flag in an environment. */
export interface FlagEnvironmentRef {
  readonly feature: string
  readonly environment: string
}

/** Returns the release plan of a flag in an environment; undefined if there is no plan. */
export async function findPlan(
  reader: Reader,
  { feature, environment }: FlagEnvironmentRef,
): Promise<PlanRow | undefined> {
  const row = await reader
    .selectFrom('release_plans')
    .selectAll()
    .where('feature_name', '=', feature)
    .where('environment', '=', environment)
    .executeTakeFirst()
  return row && { ...row, safeguards: await listSafeguards(reader, { feature, environment }) }
}

/** Returns a release plan by id, with the project of its flag. */
export async function findPlanById(reader: Reader, id: string): Promise<(PlanRow & { project: string }) | undefined> {
  const row = await reader
    .selectFrom('release_plans as p')
    .innerJoin('features as f', 'f.name', 'p.feature_name')
    .selectAll('p')
    .select('f.project')
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { feature_name: feature, environment } = row
  return { ...row, safeguards: await listSafeguards(reader, { feature, environment }) }
}

/** Release plan of a flag in an environment, with the data that lists show. */
export type ListedPlan = Pick<
  PlanRow,
  'id' | 'name' | 'feature_name' | 'environment' | 'milestones' | 'active_milestone_id' | 'paused_at'
> & {
  /** Definition of a tripped safeguard of the plan; undefined if no safeguard has tripped. */
  readonly tripped?: SafeguardDefinition | undefined
}

/** Returns the release plans of the given flags; a paused plan includes one of its tripped safeguards. */
export async function listPlansOfFlags(reader: Reader, features: readonly string[]): Promise<ListedPlan[]> {
  const plans = await reader
    .selectFrom('release_plans')
    .select(['id', 'name', 'feature_name', 'environment', 'milestones', 'active_milestone_id', 'paused_at'])
    .where('feature_name', 'in', features)
    .execute()
  if (plans.every(({ paused_at: pausedAt }) => pausedAt === null)) return plans
  const tripped = await reader
    .selectFrom('safeguards')
    .select(['plan_id', 'definition'])
    .where('feature_name', 'in', features)
    .where('plan_id', 'is not', null)
    .where('trip', 'is not', null)
    .orderBy('id')
    .execute()
  return plans.map((plan) => ({ ...plan, tripped: tripped.find((one) => one.plan_id === plan.id)?.definition }))
}

/** Release plan, with the time at which its next milestone starts. */
export interface DuePlan {
  readonly id: string
  readonly due_at: number
}

/** Returns plans whose next milestone is due, longest overdue first. */
export async function listDuePlans(reader: Reader, now: number, limit: number): Promise<DuePlan[]> {
  const rows = await selectProgressing(reader)
    .select(['id', 'due_at'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, due_at: dueAt }) => ({ id, due_at: dueAt ?? now }))
}

/** Returns the earliest time at which a milestone starts; undefined if no milestone is scheduled. */
export async function findNextPlanDueAt(reader: Reader): Promise<number | undefined> {
  const row = await selectProgressing(reader)
    .select(({ fn }) => fn.min<number | null>('due_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}

/**
 * Restricts a query to plans that are not held by a safeguard. Tripped safeguards do not count, because they have
 * already paused the plan.
 */
function selectProgressing(reader: Reader) {
  return reader
    .selectFrom('release_plans as p')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('safeguards as s')
            .select('s.id')
            .whereRef('s.feature_name', '=', 'p.feature_name')
            .whereRef('s.environment', '=', 'p.environment')
            .where('s.held', '=', 1)
            .where('s.trip', 'is', null),
        ),
      ),
    )
}

/** Inserts a release plan. */
export async function insertPlan(tx: Tx, { safeguards: _safeguards, ...row }: PlanRow): Promise<void> {
  await tx
    .insertInto('release_plans')
    .values({ ...row, milestones: JSON.stringify(row.milestones) })
    .execute()
  const segments = listMilestoneSegments(row.milestones)
  if (segments.length === 0) return
  await tx
    .insertInto('release_plan_segments')
    .values(segments.map((segment_id) => ({ plan_id: row.id, segment_id })))
    .execute()
}

/**
 * Replaces the progress of a release plan: its active milestone, its times, and the intervals between its milestones.
 */
export async function updatePlan(tx: Tx, { id, milestones, ...row }: PlanRow): Promise<void> {
  const { active_milestone_id, started_at, active_since, elapsed_ms, interval_ms, due_at, paused_at } = row
  const progress = { active_milestone_id, started_at, active_since, elapsed_ms, interval_ms, due_at, paused_at }
  await tx
    .updateTable('release_plans')
    .set({ ...progress, milestones: JSON.stringify(milestones) })
    .where('id', '=', id)
    .execute()
}

/** Deletes a release plan. */
export async function deletePlan(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('release_plans').where('id', '=', id).execute()
}

/**
 * Starts the clock that measures how long the active milestone of a plan has run, when the flag is turned on. Does
 * nothing if there is no plan, if the plan is paused, or if the clock is already running.
 */
export const startPlanClock = defineStatement(
  (tx: Tx, at: Placeholders<FlagEnvironmentRef & { readonly now: number }>) =>
    tx
      .updateTable('release_plans')
      .set({
        active_since: at('now'),
        started_at: sql<number>`coalesce(started_at, ${at('now')})`,
        due_at: sql<number | null>`${at('now')} + interval_ms - elapsed_ms`,
      })
      .where('feature_name', '=', at('feature'))
      .where('environment', '=', at('environment'))
      .where('active_since', 'is', null)
      .where('paused_at', 'is', null),
)

/**
 * Stops the clock of a plan when the flag is turned off, and adds the elapsed time to the milestone's total; adds
 * nothing if the system clock was set back. Does nothing if there is no plan, or if the clock is already stopped.
 */
export const stopPlanClock = defineStatement(
  (tx: Tx, at: Placeholders<FlagEnvironmentRef & { readonly now: number }>) =>
    tx
      .updateTable('release_plans')
      .set({
        elapsed_ms: sql<number>`elapsed_ms + case when active_since < ${at('now')} then ${at('now')} - active_since else 0 end`,
        active_since: null,
        due_at: null,
      })
      .where('feature_name', '=', at('feature'))
      .where('environment', '=', at('environment'))
      .where('active_since', 'is not', null),
)

/** Stops the clocks of all plans of a flag when the flag is archived. */
export async function stopPlanClocks(
  tx: Tx,
  { feature, now }: { readonly feature: string; readonly now: number },
): Promise<void> {
  const running = await tx
    .selectFrom('release_plans')
    .select('environment')
    .where('feature_name', '=', feature)
    .where('active_since', 'is not', null)
    .execute()
  for (const { environment } of running) await stopPlanClock(tx, { feature, environment, now })
}

/** Flag or release template that uses a segment in a milestone. */
export interface MilestoneSegmentUse {
  readonly kind: 'plan' | 'template'
  /** Name of the flag or template. */
  readonly name: string
  /** Project of the flag; null for a release template. */
  readonly project: string | null
}

/** Returns the flags and release templates with milestones that use a segment, sorted by name. */
export async function listMilestoneSegmentUses(reader: Reader, segmentId: number): Promise<MilestoneSegmentUse[]> {
  const plans = await reader
    .selectFrom('release_plan_segments as x')
    .innerJoin('release_plans as p', 'p.id', 'x.plan_id')
    .innerJoin('features as f', 'f.name', 'p.feature_name')
    .select(['f.name', 'f.project'])
    .where('x.segment_id', '=', segmentId)
    .orderBy('f.name')
    .execute()
  const templates = await reader
    .selectFrom('release_template_segments as x')
    .innerJoin('release_plan_templates as t', 't.id', 'x.template_id')
    .select('t.name')
    .where('x.segment_id', '=', segmentId)
    .orderBy('t.name')
    .execute()
  return [
    ...plans.map(({ name, project }) => ({ kind: 'plan' as const, name, project })),
    ...templates.map(({ name }) => ({ kind: 'template' as const, name, project: null })),
  ]
}
