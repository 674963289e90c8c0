import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'

/** Share of users. */
export type AudienceShare = 'everybody' | 'some' | 'nobody'

/** Parent of a flag, with the state that the parent must have. */
export interface Parent {
  readonly flag: AdminFeature
  readonly needs: DependencyInput
}

/** Effect of a parent change on a flag in an environment in which the flag is on. */
export interface ParentChange {
  readonly environment: string
  /** Audience of the child flag (everyone, some or no users) if only the parent decides. */
  readonly before: AudienceShare
  readonly after: AudienceShare
}

const FULL_ROLLOUT = 100

/**
 * Returns which users (all, some or none) get a flag in an environment, based on its on/off state and its
 * strategies.
 */
export function getFlagShare(flag: AdminFeature, environment: string): AudienceShare {
  const here = flag.environments.find(({ name }) => name === environment)
  if (here?.enabled !== true || flag.archived) return 'nobody'
  return getStrategiesShare(here)
}

function getStrategiesShare({ strategies }: AdminFeatureEnvironment): AudienceShare {
  if (strategies.length === 0) return 'everybody'
  const enabled = strategies.filter(({ disabled }) => !disabled)
  if (enabled.length === 0) return 'nobody'
  return enabled.some(matchesEveryone) ? 'everybody' : 'some'
}

function matchesEveryone({ name, parameters, constraints, segments }: AdminStrategy): boolean {
  if (constraints.length + segments.length > 0) return false
  const { rollout, stickiness = 'default' } = parameters
  // If the stickiness is a custom field, users without this field are excluded even at 100 %.
  const drawsAll = stickiness === 'default' || stickiness === 'random'
  return name === 'default' || (name === 'flexibleRollout' && Number(rollout) >= FULL_ROLLOUT && drawsAll)
}

/**
 * Returns which users get the child flag in an environment if only the parent decides. If SDKs do not receive the
 * parent, returns `nobody`.
 */
export function getParentShare(
  { flag, needs: { enabled = true, variants = [] } }: Parent,
  environment: string,
): AudienceShare {
  if (flag.archived || !flag.environments.some(({ name }) => name === environment)) return 'nobody'
  const on = getFlagShare(flag, environment)
  if (!enabled) return on === 'some' ? 'some' : on === 'nobody' ? 'everybody' : 'nobody'
  return on === 'everybody' && variants.length > 0 ? 'some' : on
}

/** Returns the effects of a parent change on a flag in all environments in which the flag is on. */
export function listParentChanges(
  child: AdminFeature,
  before: Parent | undefined,
  after: Parent | undefined,
): ParentChange[] {
  const share = (parent: Parent | undefined, environment: string): AudienceShare =>
    parent === undefined ? 'everybody' : getParentShare(parent, environment)
  return [...child.environments]
    .filter(({ enabled }) => enabled && !child.archived)
    .sort((a, b) => a.sortOrder - b.sortOrder)
    .map(({ name }) => ({ environment: name, before: share(before, name), after: share(after, name) }))
    .filter((one) => one.before !== 'everybody' || one.after !== 'everybody')
}

/** Returns true if both dependencies have the same parent and the same required state. */
export function isSameParent(a: DependencyInput | undefined, b: DependencyInput | undefined): boolean {
  const describe = ({ feature, enabled = true, variants = [] }: DependencyInput): string =>
    JSON.stringify([feature, enabled, enabled ? [...variants].sort() : []])
  return a === undefined || b === undefined ? a === b : describe(a) === describe(b)
}
