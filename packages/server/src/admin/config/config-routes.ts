import { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import { ConfigOrigins, ConfigOriginsQuery } from '@burgee/protocol/administration/config-origin'
import {
  ConfigApplyRequest,
  ConfigApplyResult,
  type ConfigChange,
  ConfigExport,
  ConfigExportQuery,
  ConfigPlan,
  ConfigPlanRequest,
  type ConfigSource,
  type FlagImpact,
} from '@burgee/protocol/administration/config-plan'
import type { Reader } from '@burgee/storage/database'
import { listOrigins } from '@burgee/storage/queries/transfer/config-origins'
import Type from 'typebox'
import { hasPermission } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { READ, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { getInputWarnings } from '../../core/http/value-warnings.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { applyConfig } from './apply-config.ts'
import { exportConfig } from './config-export.ts'
import { type PlanOrder, planConfig, type StepPlan } from './config-plan.ts'
import { type ConfigStep, toConfigChange } from './config-steps.ts'
import { toConfigOrigin } from './flag-origins.ts'
import { measurePlan } from './plan-impact.ts'
import { createPlanQueue } from './plan-queue.ts'
import { readProjectConfig } from './project-config.ts'
import { listObstacles, reviewSteps } from './step-reviews.ts'
import { selectReleased } from './store-origins.ts'

const CONFIG = '/api/admin/projects/:projectId/config'
/** Maximum length of a request body: enough for ten thousand flags with a few strategies each. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
const params = Type.Object({ projectId: Type.String() })
const common = { method: 'POST', tag: 'Transfer', params, bodyLimitBytes: MAX_BODY_BYTES } as const
const problems = [...WRITE, 'InvalidOperationError', 'PayloadTooLargeError', 'ConflictError', 'RateLimitError'] as const
const FILES =
  'One YAML file per flag, segment, context field or release template. A mistake in a file is reported with file, line and property.'

/**
 * Creates the routes that export a project as files, plan the changes that would bring it to the state of given files,
 * and apply such a plan. A user's plans run one at a time, and only a few plans may wait. The routes are not part of
 * the wire protocol.
 */
export const configRoutes = (queue = createPlanQueue(), budget = new EventLoopBudget()): Routes => [
  route({
    method: 'GET',
    tag: 'Transfer',
    permission: null,
    url: `${CONFIG}/export`,
    summary: 'Exports a project, or one flag, as YAML files without ids; the same state always gives the same files.',
    params,
    query: ConfigExportQuery,
    replies: { 200: { description: 'The files, sorted by path', schema: ConfigExport } },
    problems: [...READ, 'ValidationError', 'InvalidOperationError'],
    handle: ({ params: { projectId: project }, query: { flag }, access: { actor } }, world) =>
      world.db.scan(async (reader) => {
        await requireOpenProject(reader, project)
        return { files: exportConfig(await readProjectConfig(reader, project, actor.hidden), flag) }
      }),
  }),
  route({
    method: 'GET',
    tag: 'Transfer',
    permission: null,
    url: '/api/admin/config/origins',
    summary: 'Lists the objects that files in a repository describe, with repository, commit and path.',
    description: '`driftedAt` is the time of the first change by hand since the last apply.',
    query: ConfigOriginsQuery,
    replies: { 200: { description: 'The objects', schema: ConfigOrigins } },
    problems: [...READ, 'ValidationError'],
    handle: async ({ query: { project }, access: { actor } }, world) => {
      const rows = await listOrigins(world.db.reader, project)
      return { origins: rows.filter((row) => !actor.hidden.includes(row.project)).map(toConfigOrigin) }
    },
  }),
  route({
    ...common,
    permission: null,
    url: `${CONFIG}/plan`,
    summary: 'Plans the changes that bring a project to the state of files; nothing is written.',
    description: `${FILES} \`plan\` is the hash with which the plan is applied.`,
    body: ConfigPlanRequest,
    replies: { 200: { description: 'The plan', schema: ConfigPlan } },
    problems,
    handle: ({ params: { projectId: project }, body, access: { actor }, caller }, world) =>
      queue.run(actor.name, async () => {
        const order = toOrder(project, body, { actor, budget })
        // The reads share no snapshot, because files are parsed between them. The apply request compares the plan with
        // the state again, in its own transaction.
        await requireOpenProject(world.db.reader, project)
        return toPlan(world, { order, source: body.source, isGone: () => caller.exit?.isGone === true })
      }),
  }),
  route({
    ...common,
    permission: 'UPDATE_FEATURE',
    url: `${CONFIG}/apply`,
    summary: 'Applies a plan, all or nothing; 409 if the project has changed since the plan was made.',
    description: `${FILES} Requires the permissions that the individual changes would require. Changes in protected environments become a change request that names the commit, unless the caller may skip change requests.`,
    body: ConfigApplyRequest,
    replies: { 200: { description: 'The result', schema: ConfigApplyResult } },
    problems,
    handle: ({ params: { projectId: project }, body, access: { actor } }, world) =>
      queue.run(actor.name, async () => {
        const order = {
          ...toOrder(project, body, { actor, budget }),
          plan: body.plan,
          source: body.source,
        }
        // parses the files and reports mistakes before the writer lock is taken
        await requireOpenProject(world.db.reader, project)
        await planConfig(world.db.reader, order)
        return execute(world, actor, applyConfig, order)
      }),
  }),
]

function toOrder(
  project: string,
  { files, prune, environment }: ConfigPlanRequest,
  more: Pick<PlanOrder, 'actor' | 'budget'>,
): PlanOrder {
  return { ...more, project, files, prune: prune === true, environment, parsed: new Map() }
}

interface PlanRequest {
  readonly order: PlanOrder
  readonly source: ConfigSource | undefined
  readonly isGone: () => boolean
}

async function toPlan(world: ServerWorld, { order, source, isGone }: PlanRequest): Promise<ConfigPlan> {
  const { actor, project } = order
  const { reader } = world.db
  const plan = await planConfig(reader, order)
  const { hash, revision, steps, kept, guarded } = plan
  const { impacts, isIncomplete } = await measurePlan(world, { order, plan, isGone })
  const reviews = await reviewSteps(reader, { actor, project, guarded, steps })
  const reviewed = new Set<string>()
  const missing = new Set<string>()
  for (const { step, environment } of reviews) {
    if (environment !== undefined) reviewed.add(environment)
    else {
      for (const needed of step.permissions) if (!hasPermission(actor, needed.name, needed)) missing.add(needed.name)
    }
  }
  return {
    plan: hash,
    revision,
    changes: steps.map((step) => withImpact(toConfigChange(step), impacts)),
    destructive: steps.filter(({ isDestructive }) => isDestructive === true).map(toConfigChange),
    needsChangeRequest: [...reviewed].sort(),
    missingPermissions: [...missing].sort(),
    kept: [...kept],
    obstacles: listObstacles(reviews, actor),
    warnings: await listWarnings(steps, order.budget),
    released: await listReleased(reader, { order, plan, source }),
    impacts: [...impacts],
    isImpactIncomplete: isIncomplete,
  }
}

interface SourcedPlan extends Pick<PlanRequest, 'order' | 'source'> {
  readonly plan: StepPlan
}

/** Lists the objects whose management an apply of the plan ends; none if the source of the files is unknown. */
async function listReleased(reader: Reader, { order, plan, source }: SourcedPlan): Promise<ConfigPlan['released']> {
  if (source === undefined) return []
  const released = selectReleased(await listOrigins(reader, order.project), {
    ...order,
    source,
    described: plan.objects,
  })
  return released.map(({ kind, name, path }) => ({ kind, name, path }))
}

/** Adds the impact on the flag and environment of a change, if it is known. */
function withImpact(change: ConfigChange, impacts: readonly FlagImpact[]): ConfigChange {
  const found = impacts.find(({ flag, environment }) => flag === change.flag && environment === change.environment)
  return found === undefined ? change : { ...change, impact: found.impact }
}

/** Lists values that official SDKs interpret differently, once per kind and object. */
async function listWarnings(steps: readonly ConfigStep[], budget: EventLoopBudget): Promise<ConfigPlan['warnings']> {
  const warnings = new Map<string, ConfigPlan['warnings'][number]>()
  for (const { kind, name, changes, content } of steps) {
    const found = await budget.run(() => getInputWarnings([changes, content]))
    for (const { message: reason } of found) warnings.set(JSON.stringify([kind, name, reason]), { kind, name, reason })
  }
  return [...warnings.values()]
}
