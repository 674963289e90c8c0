import type { FlagImpact } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { readFlags, readSegments } from '@burgee/storage/document-flags'
import { listSegmentUses } from '@burgee/storage/queries/targeting/segments'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { type Change, dryRun } from '../../core/execute.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import type { FlagSet } from '../impact/impact.ts'
import { makeSteps } from './apply-config.ts'
import type { PlanOrder, StepPlan } from './config-plan.ts'
import type { ConfigStep, Phase } from './config-steps.ts'

/** Maximum number of flags per environment whose impact is computed. */
const MAX_IMPACT_FLAGS = 50
/** Maximum number of changes in a plan whose impact is computed: the dry run holds the writer lock. */
const MAX_IMPACT_STEPS = 500

/** Phases whose steps can change the result of a flag. */
const EFFECTIVE: ReadonlySet<Phase> = new Set(['environment', 'archive', 'attach', 'detach'])

/** Impacts of a plan, sorted as the plan's changes. `isIncomplete` is true if some flags were omitted. */
export interface PlanImpacts {
  readonly impacts: readonly FlagImpact[]
  readonly isIncomplete: boolean
}

/** Plan to measure, and a function that returns true once the caller has disconnected. */
interface MeasuredPlan {
  readonly order: PlanOrder
  readonly plan: StepPlan
  readonly isGone: () => boolean
}

/**
 * Computes the effect of a plan on the evaluations that this node has sampled. Makes the plan's changes in a dry run,
 * so that segments, parents and releases count as they would after an apply. Covers only environments that are sampled
 * and in which the caller may make all changes of the plan. Computes nothing if an apply would fail.
 */
export async function measurePlan(world: ServerWorld, { order, plan, isGone }: MeasuredPlan): Promise<PlanImpacts> {
  const { steps, config } = plan
  const limit = order.environment
  const sampled = config.environments.filter(
    (name) => (limit === undefined || limit === name) && world.traffic.get(name) !== undefined,
  )
  if (sampled.length === 0 || steps.length === 0) return { impacts: [], isIncomplete: false }
  const environments = sampled.filter((name) => maySeeImpact(order.actor, { project: config.project, name, steps }))
  const isDenied = environments.length < sampled.length
  if (environments.length === 0 || steps.length > MAX_IMPACT_STEPS) return { impacts: [], isIncomplete: true }
  const affected = await listAffected(world.db.reader, plan, environments)
  const sets = await readBothSets(world, { order, steps, affected })
  if (sets === undefined) return { impacts: [], isIncomplete: true }
  const impacts: FlagImpact[] = []
  for (const [environment, names] of affected) {
    impacts.push(...(await measureEnvironment(world, { environment, names, plan, sets, isGone })))
  }
  const isCut = [...affected.values()].some((names) => names.length > MAX_IMPACT_FLAGS)
  return { impacts, isIncomplete: isDenied || isCut || isGone() }
}

/** Returns true if the caller may make all changes of a plan that concern an environment, and edit strategies there. */
function maySeeImpact(
  actor: Actor,
  { project, name, steps }: { readonly project: string; readonly name: string; readonly steps: readonly ConfigStep[] },
): boolean {
  const needed = steps
    .filter(({ environment }) => environment === undefined || environment === name)
    .flatMap(({ permissions }) => permissions)
  return [...needed, { name: 'UPDATE_FEATURE_STRATEGY', project, environment: name }].every((one) =>
    hasPermission(actor, one.name, one),
  )
}

/**
 * Returns the flags whose results the plan can change, by environment: flags with changes, flags that use a changed
 * segment, and children of all these flags. Flags of other projects are omitted.
 */
async function listAffected(
  reader: Reader,
  { steps, config }: StepPlan,
  environments: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const segments = new Set(steps.flatMap(({ affects }) => (typeof affects === 'object' ? [affects.segment] : [])))
  const uses = segments.size === 0 ? [] : await listSegmentUses(reader)
  const users = uses.filter(({ segment, feature }) => segments.has(segment) && config.flags.has(feature))
  return new Map(
    environments.map((environment) => {
      const own = steps
        .filter(
          (step) => EFFECTIVE.has(step.phase) && (step.environment === undefined || step.environment === environment),
        )
        .flatMap(({ flag }) => flag ?? [])
      const changed = new Set([...own, ...users.map(({ feature }) => feature)])
      const children = [...config.flags.values()].filter(({ parents }) =>
        parents.some(({ parent }) => changed.has(parent)),
      )
      return [environment, [...new Set([...changed, ...children.map(({ row }) => row.name)])]]
    }),
  )
}

/** Flags and segments before and after the plan, keyed by environment. */
interface BothSets {
  readonly before: ReadonlyMap<string, FlagSet>
  readonly after: ReadonlyMap<string, FlagSet>
}

interface DryRunSteps {
  readonly order: PlanOrder
  readonly steps: readonly ConfigStep[]
  readonly affected: ReadonlyMap<string, readonly string[]>
}

/** Makes the steps in a dry run. Returns undefined if a step fails. */
async function readBothSets(
  world: ServerWorld,
  { order: { actor, project }, steps, affected }: DryRunSteps,
): Promise<BothSets | undefined> {
  let before: ReadonlyMap<string, FlagSet> = new Map()
  const change: Change<undefined, undefined> = async (tx, _input, context) => {
    before = await readSets(tx, affected)
    const ids = { segments: new Map<number, number>(), templates: new Map<string, string>() }
    return { result: undefined, events: await makeSteps(tx, { steps, project, ids }, context) }
  }
  try {
    const after = await dryRun(world, actor, change, { input: undefined, look: (tx) => readSets(tx, affected) })
    return { before, after }
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

async function readSets(
  reader: Reader,
  affected: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, FlagSet>> {
  const segments = await readSegments(reader)
  const sets = new Map<string, FlagSet>()
  for (const [environment, all] of affected) {
    const names = all.slice(0, MAX_IMPACT_FLAGS)
    const own = await readFeatures(reader, environment, names)
    const parents = new Set(own.flatMap(({ dependencies = [] }) => dependencies.map(({ feature }) => feature)))
    const missing = [...parents].filter((name) => !names.includes(name))
    sets.set(environment, { features: [...own, ...(await readFeatures(reader, environment, missing))], segments })
  }
  return sets
}

async function readFeatures(reader: Reader, environment: string, names: readonly string[]) {
  const found = await readFlags(reader, [environment], names)
  return (found.get(environment) ?? []).map(({ feature }) => feature)
}

interface MeasuredEnvironment {
  readonly environment: string
  readonly names: readonly string[]
  readonly plan: StepPlan
  readonly sets: BothSets
  readonly isGone: () => boolean
}

async function measureEnvironment(
  { traffic, impacts }: ServerWorld,
  { environment, names, plan: { steps, config }, sets, isGone }: MeasuredEnvironment,
): Promise<FlagImpact[]> {
  const before = sets.before.get(environment)
  const after = sets.after.get(environment)
  const sample = traffic.get(environment)
  if (before === undefined || after === undefined || sample === undefined) return []
  const isOn = (set: FlagSet, flag: string) => set.features.some(({ name, enabled }) => name === flag && enabled)
  const isShown = (flag: string) =>
    isOn(before, flag) ||
    isOn(after, flag) ||
    steps.some((step) => step.flag === flag && step.environment === environment)
  const shown = names.slice(0, MAX_IMPACT_FLAGS).filter(isShown)
  const flags = shown.map((name) => ({ name, project: config.project }))
  const found = await impacts.evaluateAll({ flags, before, after }, sample, isGone)
  return shown.flatMap((flag) => {
    const impact = found?.get(flag)
    return impact === undefined ? [] : [{ flag, environment, impact }]
  })
}
