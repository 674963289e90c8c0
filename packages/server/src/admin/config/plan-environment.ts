import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { FileEnvironment, FlagFile } from '@burgee/protocol/administration/config-files'
import type { ReleasePlanInput } from '@burgee/protocol/administration/release-plan'
import { Problem } from '@burgee/protocol/problem'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { CheckedChange } from '../change-requests/change-actions.ts'
import { getDirectPermission } from '../change-requests/direct-rights.ts'
import type { FeatureEnvironmentRef } from '../flags/feature-ref.ts'
import { normalizeStrategy } from '../flags/strategy-checks.ts'
import { arrangeVariants } from '../flags/variant-order.ts'
import { toFlagVariants } from '../flags/weights.ts'
import { listChanges } from '../promotion/target-changes.ts'
import { addPlan, startMilestone } from '../releases/release-plans.ts'
import { getStrategyKey, type StrategyParts } from '../targeting/same-strategy.ts'
import type { KnownTemplate } from './config-references.ts'
import { type ConfigStep, type RunStep, resolveIds } from './config-steps.ts'
import { describeChange } from './describe-change.ts'
import type { ParsedFile } from './parse-config-file.ts'
import type { Planning } from './plan-shared.ts'
import type { StoredEnvironment } from './project-config.ts'

const NO_STATE: StoredEnvironment = { enabled: false, strategies: [], variants: [], plan: undefined }

/** Environment of a flag as described in a file. */
export interface FileOfEnvironment {
  readonly file: ParsedFile<FlagFile>
  readonly environment: string
  readonly wanted: FileEnvironment
  readonly now: StoredEnvironment | undefined
}

/** Plans the minimal changes that bring a flag in one environment to the state that its file describes. */
export function planEnvironment(planning: Planning, place: FileOfEnvironment): ConfigStep[] {
  const { file, environment, wanted, now = NO_STATE } = place
  const flag = file.content.name
  const property = ['environments', environment]
  const strategies = toStrategies(planning, place, now)
  const variants = planning.mistakes.collect(file, property, () =>
    wanted.variants === undefined
      ? []
      : arrangeVariants(toFlagVariants(wanted.variants as VariantInput[]), now.variants),
  )
  if (strategies === undefined || variants === undefined) return []
  const target = { strategies, variants: variants as VariantInput[] }
  const template = findNewTemplate(planning, { ...place, now })
  const changes = [
    ...(now.enabled && !wanted.enabled ? [toChange('updateEnabled', { enabled: false })] : []),
    ...joinRelease(planning, { ...place, now, template }, listChanges(flag, now, target, strategies)),
  ]
  const isReplaced = changes.some(({ action }) => action === 'deleteReleasePlan' || action === 'deleteStrategy')
  const mustEnable = wanted.enabled && (!now.enabled || (isReplaced && wanted.release !== undefined))
  if (mustEnable) changes.push(toChange('updateEnabled', { enabled: true }))
  requireOpen(planning, place, { changes, strategies })
  const shared = { flag, environment, wanted, template, isOn: now.enabled }
  return changes.map((change) => toStep(planning, { ...shared, change }))
}

function toChange<A extends ChangeAction>(action: A, payload: CheckedChange<A>['payload']): CheckedChange {
  return { action, payload } as CheckedChange
}

/**
 * Converts the strategies in a file. Strategies equal to a stored one are accepted as they are; all others are
 * validated.
 */
function toStrategies(
  { references, mistakes, config }: Planning,
  { file, environment, wanted }: FileOfEnvironment,
  now: StoredEnvironment,
): StrategyInput[] | undefined {
  const feature = file.content.name
  const stored = new Set(now.strategies.map((row) => getStrategyKey(feature, row)))
  const constraints = now.strategies.flatMap((row) => row.constraints)
  const converted = (wanted.strategies ?? []).map((strategy, index) => {
    const property = ['environments', environment, 'strategies', index]
    const input = references.toStrategyInput(file, property, strategy)
    if (stored.has(getStrategyKey(feature, input as StrategyParts)))
      return { ...input, disabled: input.disabled === true }
    return mistakes.collect(file, property, () =>
      normalizeStrategy({ project: config.project, feature }, input, constraints),
    )
  })
  return converted.includes(undefined) ? undefined : (converted as StrategyInput[])
}

interface StoredPlace extends FileOfEnvironment {
  readonly now: StoredEnvironment
}

/**
 * Returns the template of the release plan to add; undefined if no release plan is added. Adds a mistake for a
 * milestone other than the first one in a protected environment: a change request cannot start a milestone of a release
 * plan that does not exist yet.
 */
function findNewTemplate(
  { references, mistakes, guarded, environment: limit }: Planning,
  { file, environment, wanted: { release }, now }: StoredPlace,
): KnownTemplate | undefined {
  if (release === undefined || now.plan?.template === release.template) return undefined
  const property = ['environments', environment, 'release']
  const template = references.findTemplate(file, property, release)
  const first = template?.milestones[0]
  const isLater = release.milestone !== undefined && release.milestone !== first
  const isPlanned = limit === undefined || limit === environment
  if (template !== undefined && isLater && isPlanned && guarded.includes(environment)) {
    const text = `"${environment}" is protected, and a change request adds a release plan at its first milestone "${first}". Name this milestone now, and "${release.milestone}" when the request has been applied.`
    mistakes.add(file, [...property, 'milestone'], text)
  }
  return template
}

/**
 * Adds the changes to the release plan: a new release plan is added before the strategies that it replaces are removed.
 */
function joinRelease(
  planning: Planning,
  { file, environment, wanted, now, template }: StoredPlace & { readonly template: KnownTemplate | undefined },
  changes: readonly CheckedChange[],
): CheckedChange[] {
  const { plan } = now
  const { release } = wanted
  const removal = plan === undefined ? [] : [toChange('deleteReleasePlan', { planId: plan.id })]
  if (release === undefined) return [...changes, ...removal]
  if (plan?.template === release.template) {
    const active = plan.milestones.find(({ id }) => id === plan.active_milestone_id)
    if (release.milestone === undefined || release.milestone === active?.name) return [...changes]
    const next = plan.milestones.find(({ name }) => name === release.milestone)
    if (next !== undefined) return [...changes, toChange('startMilestone', { planId: plan.id, milestoneId: next.id })]
    const text = `The release plan "${release.template}" has no milestone "${release.milestone}".`
    planning.mistakes.add(file, ['environments', environment, 'release', 'milestone'], text)
    return [...changes]
  }
  if (template === undefined) return [...changes]
  const addition = toChange('addReleasePlan', { templateId: template.id })
  return plan === undefined ? [addition, ...changes] : [...changes, ...removal, addition]
}

/**
 * Adds a mistake for a flag that is enabled but has no enabled strategy. SDKs would evaluate it as on for everyone, so
 * the server would turn it off or add a strategy that the file does not contain.
 */
function requireOpen(
  { mistakes }: Planning,
  { file, environment, wanted }: FileOfEnvironment,
  {
    changes,
    strategies,
  }: { readonly changes: readonly CheckedChange[]; readonly strategies: readonly StrategyInput[] },
): void {
  if (!wanted.enabled || changes.length === 0 || wanted.release !== undefined) return
  if (strategies.some(({ disabled }) => disabled !== true)) return
  const text = 'A flag that is on needs an enabled strategy, such as "- name: default" for everyone.'
  mistakes.add(file, ['environments', environment, 'enabled'], text)
}

interface EnvironmentChange {
  readonly flag: string
  readonly environment: string
  readonly change: CheckedChange
  readonly wanted: FileEnvironment
  /** Template of the release plan to add. */
  readonly template: KnownTemplate | undefined
  readonly isOn: boolean
}

/** Returns true if a change can open a flag that is on for more users. */
function isOpeningChange({ action, payload }: CheckedChange): boolean {
  if (action === 'addReleasePlan' || action === 'startMilestone') return true
  return action === 'updateStrategy' && (payload as { readonly allowEmpty?: boolean }).allowEmpty === true
}

function toStep(
  { config: { project } }: Planning,
  { flag, environment, change, wanted, template, isOn }: EnvironmentChange,
): ConfigStep {
  const { action, payload } = change
  const { release, enabled } = wanted
  const isEnabling = action === 'updateEnabled' && (payload as { readonly enabled: boolean }).enabled
  // a started milestone and a strategy without its former restrictions affect users at once if the flag is on
  const isOpening = isOn && enabled && isOpeningChange(change)
  const milestone = release?.milestone ?? template?.milestones[0]
  const step = {
    kind: 'Flag',
    name: flag,
    flag,
    environment,
    phase: 'environment',
    affects: 'environment',
    sentence: describeChange(change, { flag, environment, template: release?.template, milestone, isOn }),
    ...((isEnabling || isOpening) && { enables: true }),
    permissions: [{ name: getDirectPermission(action), project, environment }],
    changes: [change],
  } as const satisfies ConfigStep
  if (action !== 'addReleasePlan' || release?.milestone === undefined) return step
  const run = startRelease({ project, feature: flag, environment }, { change, milestone: release.milestone })
  const started = { ...step, content: { milestone: release.milestone }, run }
  if (release.milestone === template?.milestones[0]) return started
  const start = { name: getDirectPermission('startMilestone'), project, environment }
  return { ...started, permissions: [...step.permissions, start] }
}

/**
 * Returns a function that adds a release plan and then starts a milestone. That function throws ConflictError if the
 * milestone cannot be started.
 */
function startRelease(
  ref: FeatureEnvironmentRef,
  { change, milestone }: { readonly change: CheckedChange; readonly milestone: string },
): RunStep {
  return async (tx, context, ids) => {
    const { templateId } = resolveIds(change, ids).payload as ReleasePlanInput
    const { result: plan, events } = await addPlan(tx, { ...ref, templateId }, context)
    const wanted = plan.milestones.find(({ name }) => name === milestone)
    if (wanted === undefined) {
      throw new Problem('ConflictError', `The release plan "${plan.name}" has no milestone "${milestone}".`)
    }
    const started = await startMilestone(tx, { ...ref, planId: plan.id, milestoneId: wanted.id }, context)
    return [...events, ...started.events]
  }
}
