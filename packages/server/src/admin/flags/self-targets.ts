import { invalid, notFound } from '@burgee/kit/input/refusals'
import { MAX_SELF_TARGETS, type SelfTarget, type SelfTargetInput } from '@burgee/protocol/administration/self-target'
import type { VariantDefinition } from '@burgee/protocol/feature'
import { Problem } from '@burgee/protocol/problem'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { Reader } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type ExpiredSelfTarget,
  findNextExpiry,
  insertSelfTarget,
  listExpiredSelfTargets,
  listSelfTargets,
  type SelfTargetRow,
} from '@burgee/storage/queries/flags/self-targets'
import { listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import { createDueSchedule, type DueSchedule } from '../../core/due-schedule.ts'
import { type Change, execute } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'
import { type FeatureEnvironmentRef, readFeatureEnvironment, requireFeatureEnvironment } from './feature-ref.ts'
import { addStrategy, removeStrategy, type StrategyRef } from './strategies.ts'

const MINUTE_MS = 60_000
/** Number of characters of an ISO time that contain the date, the hours and the minutes. */
const TO_MINUTES = 16
const ONLY_VARIANT_WEIGHT = 1000
const MIN_SORT_ORDER = -1_000_000

/** Converts an override to its admin API form. */
export function toSelfTargetView(row: SelfTargetRow): SelfTarget {
  return {
    id: row.strategy_id,
    userId: row.user_id,
    variant: row.variant,
    expiresAt: new Date(row.expires_at).toISOString(),
    createdByUserId: row.created_by_user_id,
  }
}

/** Lists the overrides of a flag in an environment. Throws NotFoundError. */
export async function readSelfTargets(reader: Reader, ref: FeatureEnvironmentRef): Promise<SelfTarget[]> {
  await readFeatureEnvironment(reader, ref)
  return (await listSelfTargets(reader, ref)).map(toSelfTargetView)
}

/**
 * Gives one user a flag, or one of its variants, for some minutes: adds a strategy in front of all others, with
 * constraints for the user and the time. The constraint for the time ends the override in every SDK, even if this
 * server is down; the schedule removes the strategy afterwards. Replaces an earlier override of the same user.
 *
 * Throws NotFoundError; ValidationError for an unknown variant; ConflictError if the flag is off in the environment,
 * because turning it on would affect other users; InvalidOperationError if there are too many overrides.
 */
export const startSelfTarget: Change<
  FeatureEnvironmentRef & { readonly body: SelfTargetInput },
  SelfTargetRow
> = async (tx, { body, ...ref }, context) => {
  const { enabled, variants } = await requireFeatureEnvironment(tx, ref)
  if (enabled !== 1) throw createOff(ref)
  const strategies = await listStrategies(tx, ref.feature, ref.environment)
  const known = await listSelfTargets(tx, ref)
  const earlier = known.filter(({ user_id }) => user_id === body.userId)
  if (known.length - earlier.length >= MAX_SELF_TARGETS) {
    throw new Problem('InvalidOperationError', `The flag has ${known.length} overrides there, the maximum.`)
  }
  const variant =
    body.variant === undefined ? undefined : findVariant(body.variant, [variants, ...strategies.map(getVariants)])
  const expiresAt = context.now + body.minutes * MINUTE_MS
  const events: NewEvent[] = []
  for (const { strategy_id: id } of earlier) {
    const removal = await removeStrategy(tx, { ...ref, id }, context)
    events.push(...removal.events)
  }
  const strategy = toStrategy({ userId: body.userId, expiresAt, variant, before: strategies })
  const added = await addStrategy(tx, { ...ref, body: strategy }, context)
  const row: SelfTargetRow = {
    strategy_id: added.result.id,
    user_id: body.userId,
    variant: body.variant ?? null,
    expires_at: expiresAt,
    created_by_user_id: context.author.userId,
  }
  await insertSelfTarget(tx, row)
  return { result: row, events: [...events, ...added.events] }
}

/** Ends an override before its time. Throws NotFoundError. */
export const endSelfTarget: Change<StrategyRef, void> = async (tx, ref, context) => {
  await requireFeatureEnvironment(tx, ref)
  if (!(await listSelfTargets(tx, ref)).some(({ strategy_id }) => strategy_id === ref.id)) {
    throw notFound(`There is no override with the id "${ref.id}".`)
  }
  return removeStrategy(tx, ref, context)
}

/** Creates the schedule that removes the strategies of expired overrides. */
export function createSelfTargetSchedule(world: World): DueSchedule {
  return createDueSchedule(world, {
    name: 'Overrides of single users',
    listDue: listExpiredSelfTargets,
    findNextDueAt: findNextExpiry,
    handle: (expired) => execute(world, SYSTEM, removeExpired, expired),
    isAffectedBy: ({ type }) => type === 'feature-strategy-add' || type === 'feature-revived',
  })
}

/** Removes the strategy of an expired override, unless another node has done so. */
const removeExpired: Change<ExpiredSelfTarget, void> = async (tx, ref, context) => {
  const known = await listSelfTargets(tx, ref)
  const isExpired = known.some((one) => one.strategy_id === ref.id && one.expires_at <= context.now)
  if (!isExpired) return { result: undefined, events: [] }
  return { ...(await removeStrategy(tx, ref, context)), isUnlimited: true }
}

function createOff({ feature, environment }: FeatureEnvironmentRef): Problem {
  const text = `The flag "${feature}" is off in the environment "${environment}". Turn it on first: an override adds a user to a flag that is on.`
  return new Problem('ConflictError', text)
}

const getVariants = ({ variants }: StrategyRow): readonly VariantDefinition[] => variants

function findVariant(name: string, lists: readonly (readonly VariantDefinition[])[]): VariantDefinition {
  const all = lists.flat()
  const found = all.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = [...new Set(all.map((one) => one.name))]
  const known = names.length === 0 ? 'the flag has no variants there' : `it must be one of ${names.join(', ')}`
  throw invalid(`"variant" is unknown: ${known}`, 'body/variant')
}

interface OverrideParts {
  readonly userId: string
  readonly expiresAt: number
  readonly variant: VariantDefinition | undefined
  /** Strategies of the flag, in front of which the new one is placed. */
  readonly before: readonly StrategyRow[]
}

function toStrategy({ userId, expiresAt, variant, before }: OverrideParts): StrategyInput {
  const lowest = Math.min(0, ...before.map(({ sort_order: order }) => order))
  const until = new Date(expiresAt).toISOString()
  return {
    name: 'flexibleRollout',
    title: `${userId} until ${until.slice(0, TO_MINUTES).replace('T', ' ')} UTC`,
    sortOrder: Math.max(MIN_SORT_ORDER, lowest - 1),
    parameters: { rollout: '100', stickiness: 'userId' },
    constraints: [
      { contextName: 'userId', operator: 'IN', values: [userId] },
      { contextName: 'currentTime', operator: 'DATE_BEFORE', value: until },
    ],
    variants: variant === undefined ? [] : [toOnlyVariant(variant)],
  }
}

type VariantInput = NonNullable<StrategyInput['variants']>[number]
type Payload = NonNullable<VariantInput['payload']>

function toOnlyVariant({ name, payload }: VariantDefinition): VariantInput {
  return {
    name,
    weight: ONLY_VARIANT_WEIGHT,
    weightType: 'variable',
    stickiness: 'userId',
    // stored payloads have one of the types that new ones may have
    ...(payload === undefined ? {} : { payload: payload as Payload }),
  }
}
