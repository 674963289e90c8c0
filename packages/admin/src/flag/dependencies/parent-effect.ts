import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'

/** For whom something is so in an environment. */
export type Share = 'everybody' | 'some' | 'nobody'

/** A flag's parent, and what it must be. */
export interface Parent {
  readonly flag: AdminFeature
  readonly needs: DependencyInput
}

/** What another parent makes of a flag in an environment where it is on. */
export interface ParentChange {
  readonly environment: string
  /** Whom the parent lets its child's own strategies look at. */
  readonly before: Share
  readonly after: Share
}

const WHOLE = 100

/** For whom a flag is on in an environment, as far as its switch and strategies tell. */
export function shareOf(flag: AdminFeature, environment: string): Share {
  const here = flag.environments.find(({ name }) => name === environment)
  if (here?.enabled !== true || flag.archived) return 'nobody'
  return strategiesShare(here)
}

function strategiesShare({ strategies }: AdminFeatureEnvironment): Share {
  if (strategies.length === 0) return 'everybody'
  const enabled = strategies.filter(({ disabled }) => !disabled)
  if (enabled.length === 0) return 'nobody'
  return enabled.some(isForAll) ? 'everybody' : 'some'
}

function isForAll({ name, parameters, constraints, segments }: AdminStrategy): boolean {
  if (constraints.length + segments.length > 0) return false
  const { rollout, stickiness = 'default' } = parameters
  // whoever has no value in another field is out, at 100 % too
  const drawsAll = stickiness === 'default' || stickiness === 'random'
  return name === 'default' || (name === 'flexibleRollout' && Number(rollout) >= WHOLE && drawsAll)
}

/** Whom a parent lets its child be on for in an environment; one that SDKs do not get lets nobody. */
export function parentShare({ flag, needs: { enabled = true, variants = [] } }: Parent, environment: string): Share {
  if (flag.archived || !flag.environments.some(({ name }) => name === environment)) return 'nobody'
  const on = shareOf(flag, environment)
  if (!enabled) return on === 'some' ? 'some' : on === 'nobody' ? 'everybody' : 'nobody'
  return on === 'everybody' && variants.length > 0 ? 'some' : on
}

/** What follows for a flag, in the environments where it is on, from another parent or from none. */
export function parentChanges(
  child: AdminFeature,
  before: Parent | undefined,
  after: Parent | undefined,
): ParentChange[] {
  const share = (parent: Parent | undefined, environment: string): Share =>
    parent === undefined ? 'everybody' : parentShare(parent, environment)
  return [...child.environments]
    .filter(({ enabled }) => enabled && !child.archived)
    .sort((a, b) => a.sortOrder - b.sortOrder)
    .map(({ name }) => ({ environment: name, before: share(before, name), after: share(after, name) }))
    .filter((one) => one.before !== 'everybody' || one.after !== 'everybody')
}

/** Whether two parents are the same and must be the same. */
export function isSameParent(a: DependencyInput | undefined, b: DependencyInput | undefined): boolean {
  const told = ({ feature, enabled = true, variants = [] }: DependencyInput): string =>
    JSON.stringify([feature, enabled, enabled ? [...variants].sort() : []])
  return a === undefined || b === undefined ? a === b : told(a) === told(b)
}
