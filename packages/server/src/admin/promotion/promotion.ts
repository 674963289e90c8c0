import { invalid } from '@burgee/kit/input/refusals'
import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type {
  PromotedPart,
  PromotionPlan,
  PromotionResult,
  RestoredFlag,
} from '@burgee/protocol/administration/promotion'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { findDefaultStrategy, type ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { readConstraintsOfSegments } from '@burgee/storage/queries/targeting/segments'
import { type Actor, hasPermission, requirePermission } from '../../core/access/rights/rights.ts'
import { type Change, type ChangeContext, dryRun } from '../../core/execute.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import type { World } from '../../core/world.ts'
import { applyProposedChange, type CheckedChange } from '../change-requests/change-actions.ts'
import { requireProjectEnvironment } from '../change-requests/change-request-settings.ts'
import { hashState } from '../change-requests/conflict-bases.ts'
import { DIRECT_PERMISSIONS, getDirectPermission } from '../change-requests/direct-rights.ts'
import { isGuardedFrom } from '../change-requests/guard.ts'
import { requireProposer } from '../change-requests/proposers.ts'
import { requirePerson } from '../change-requests/request-ref.ts'
import {
  createMovedOn,
  hashFlagState,
  readStates,
  requireLiveFlags,
  type StateRows,
  toFlagState,
} from './flag-states.ts'
import { listChanges, toTargetState } from './target-changes.ts'

/** Parts of flags to copy from one environment of a project to another. */
export interface Promotion extends ProjectEnvironmentKey {
  readonly from: string
  readonly features: readonly string[]
  readonly parts: readonly PromotedPart[]
}

/** Promotion whose plan the actor has seen. */
export interface ConfirmedPromotion extends Promotion {
  readonly actor: Actor
  /** Hash of each flag's state as in the plan. */
  readonly seen: ReadonlyMap<string, string>
}

/** Flag of a promotion, with its current state and the changes to apply. */
interface PlannedFlagChanges {
  readonly feature: string
  readonly now: StateRows
  readonly changes: readonly CheckedChange[]
  readonly seen: string
}

function getPermissions(flags: readonly Pick<PlannedFlagChanges, 'changes'>[]): string[] {
  return [...new Set(flags.flatMap(({ changes }) => changes.map(({ action }) => getDirectPermission(action))))]
}

/**
 * Plans a promotion: applies it, reads the result, and rolls back. Throws NotFoundError, ValidationError,
 * InvalidOperationError for an archived project, and NoAccessError if the actor may neither apply nor propose any of
 * the changes.
 */
export async function planPromotion(world: World, actor: Actor, promotion: Promotion): Promise<PromotionPlan> {
  if (!DIRECT_PERMISSIONS.some((permission) => hasPermission(actor, permission, promotion))) {
    const person = requirePerson(actor)
    await world.db.view((reader) => requireProposer(reader, person, promotion))
  }
  let flags: readonly PlannedFlagChanges[] = []
  let isGuarded = false
  const rehearsal: Change<Promotion, void> = async (tx, input, context) => {
    flags = (await planFlags(tx, input)).filter(({ changes }) => changes.length > 0)
    const events = await applyPlannedChanges(tx, input, flags, context)
    isGuarded = await isGuardedFrom(tx, actor, events)
    return { result: undefined, events }
  }
  const names = promotion.features
  const look = (tx: Tx) => readStates(tx, names, promotion.environment)
  const after = await dryRun(world, actor, rehearsal, { input: promotion, look })
  return {
    features: flags.map(({ feature: name, now, changes, seen }) => ({
      name,
      seen,
      before: toFlagState(now),
      after: toFlagState(after(name)),
      actions: changes.map(({ action }) => action),
    })),
    missingPermissions: [
      ...getPermissions(flags).filter((permission) => !hasPermission(actor, permission, promotion)),
      ...(isGuarded ? ['SKIP_CHANGE_REQUEST'] : []),
    ],
  }
}

/**
 * Copies the state of flags from one environment to another with ordinary changes, atomically (all flags or none). A
 * disabled flag stays disabled unless `enabled` is one of the promoted parts. Throws NotFoundError, NoAccessError,
 * ValidationError, and a ConflictError that names the flags that have changed since the plan.
 */
export const promote: Change<ConfirmedPromotion, PromotionResult> = async (tx, promotion, context) => {
  const { actor, project, environment, from, parts } = promotion
  const flags = await requireUnmovedFlags(tx, promotion)
  for (const permission of getPermissions(flags)) requirePermission(actor, permission, promotion)
  const events = await applyPlannedChanges(tx, promotion, flags, context)
  const names = flags.map(({ feature }) => feature)
  const after = await readStates(tx, names, environment)
  const features = names.map((name) => ({ name, seen: hashFlagState(after(name)) }))
  const data = { from, parts: [...parts], features: names }
  const event: NewEvent = { type: 'features-promoted', project, environment, data }
  return { result: { features, changeRequest: null }, events: events.length === 0 ? [] : [...events, event] }
}

/**
 * Returns the changes that a promotion makes if nothing has changed since the plan. Throws the same errors as
 * `promote`, except errors about permissions.
 */
export async function requireUnmovedFlags(
  reader: Reader,
  promotion: ConfirmedPromotion,
): Promise<readonly PlannedFlagChanges[]> {
  const flags = await planFlags(reader, promotion)
  const conflicts = flags.flatMap(({ feature, seen }) => {
    const moved = describeMove(promotion, promotion.seen.get(feature) ?? '', seen)
    return moved === undefined ? [] : [{ message: `"${feature}": ${moved}`, path: `body/features/${feature}` }]
  })
  if (conflicts.length > 0) throw createMovedOn(conflicts)
  return flags.filter(({ changes }) => changes.length > 0)
}

function describeMove({ from, environment }: Promotion, before: string, now: string): string | undefined {
  if (before === now) return undefined
  const places = [`it has changed in ${from}`, `it has changed in ${environment}`]
  const [earlier, later] = [before.split('.'), now.split('.')]
  const changed = places.filter((_, at) => earlier[at] !== later[at])
  return `${changed.length === 0 ? 'segments or a default strategy that it includes have changed' : changed.join(', ')}.`
}

/**
 * Applies planned changes, flag by flag, and returns the events. Throws the errors of the changes, with the flag's name
 * added to the message.
 */
export async function applyPlannedChanges(
  tx: Tx,
  { project, environment }: ProjectEnvironmentKey,
  flags: readonly Pick<PlannedFlagChanges, 'feature' | 'changes'>[],
  context: ChangeContext,
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const { feature, changes } of flags) {
    for (const { action, payload } of changes as readonly CheckedChange<ChangeAction>[]) {
      try {
        events.push(
          ...(await applyProposedChange(tx, { ref: { project, environment, feature }, action, payload }, context)),
        )
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const { details = [], name, extra } = error
        throw new Problem(name, `"${feature}": ${error.message}`, { details, extra, cause: error })
      }
    }
  }
  return events
}

/**
 * Returns the flags of a promotion, each with its changes. Throws NotFoundError, ValidationError,
 * InvalidOperationError.
 */
async function planFlags(reader: Reader, promotion: Promotion): Promise<PlannedFlagChanges[]> {
  const { project, environment, from, parts } = promotion
  const names = [...new Set(promotion.features)]
  await requireOpenProject(reader, project)
  if (from === environment) throw invalid('"from" must differ from the environment that is changed', 'body/from')
  for (const one of [from, environment]) await requireProjectEnvironment(reader, { project, environment: one })
  await requireLiveFlags(reader, project, names)
  const sources = await readStates(reader, names, from)
  const targets = await readStates(reader, names, environment)
  const used = await hashUsedState(reader, promotion, names.map(sources))
  return names.map((feature) => {
    const [source, now] = [sources(feature), targets(feature)]
    const wanted = toTargetState(source)
    const chosen = Object.fromEntries(parts.map((part) => [part, wanted[part]]))
    const seen = [hashFlagState(source), hashFlagState(now), used(source)].join('.')
    return { feature, now, changes: listChanges(feature, now, chosen, wanted.strategies), seen }
  })
}

/**
 * Returns a hash of the data, apart from the flags themselves, on which a promotion depends: the segments of
 * strategies, and the default strategy that enabling a flag could add.
 */
async function hashUsedState(
  reader: Reader,
  { project, environment, parts }: Promotion,
  sources: readonly StateRows[],
) {
  const segmentsOf = ({ strategies }: StateRows) => [...new Set(strategies.flatMap(({ segments }) => segments))].sort()
  const segments = await readConstraintsOfSegments(reader, [...new Set(sources.flatMap(segmentsOf))])
  const given = parts.includes('enabled') ? await findDefaultStrategy(reader, { project, environment }) : undefined
  return (source: StateRows) => hashState([segmentsOf(source).map((id) => [id, segments.get(id)]), given ?? null])
}

/** Flags to restore to their state before a promotion, and the actor. */
export interface PromotionToUndo extends ProjectEnvironmentKey {
  readonly actor: Actor
  readonly features: readonly RestoredFlag[]
}

/**
 * Restores flags in an environment to an earlier state, atomically (all flags or none), if the flags are unchanged
 * since the promotion. Throws the same errors as `promote`.
 */
export const undoPromotion: Change<PromotionToUndo, void> = async (tx, { actor, features, ...place }, context) => {
  const names = features.map(({ name }) => name)
  if (new Set(names).size < names.length) throw invalid('A flag is listed twice', 'body/features')
  await requireOpenProject(tx, place.project)
  await requireProjectEnvironment(tx, place)
  await requireLiveFlags(tx, place.project, names)
  const now = await readStates(tx, names, place.environment)
  const moved = features.filter(({ name, seen }) => hashFlagState(now(name)) !== seen)
  if (moved.length > 0) {
    const text = `it has changed in ${place.environment}.`
    throw createMovedOn(moved.map(({ name }) => ({ message: `"${name}": ${text}`, path: `body/features/${name}` })))
  }
  const flags = features.map(({ name, state }) => ({
    feature: name,
    changes: listChanges(name, now(name), state, state.strategies),
  }))
  for (const permission of getPermissions(flags)) requirePermission(actor, permission, place)
  return { result: undefined, events: await applyPlannedChanges(tx, place, flags, context) }
}
