import type { Compilation, Test } from './compilation.ts'
import { finishHash, type HashPrefix, ROLLOUT_SEED, startHash } from './hash.ts'
import { type Raw, textOf } from './raw-value.ts'
import type { Request } from './request.ts'
import { CHANCE, SESSION, type Stickiness, USER } from './stickiness.ts'

/** Why a percentage let a context in or not. */
export interface RolloutDecision {
  /** What the bucket is drawn from: a context field, `default` or `random`. */
  readonly stickiness: string
  /** The text that was hashed; undefined when there was none or when chance decided. */
  readonly stickinessValue: string | undefined
  readonly groupId: string
  /** 1..100; `random` when chance decided; undefined when the field is missing, which lets nobody in. */
  readonly bucket: number | 'random' | undefined
  /** The percentage: buckets up to it are in. NaN, which no bucket reaches, when it is no number. */
  readonly limit: number
}

/** A percentage, compiled. What live answers compare it with stands in `compiled/rollout-percentage.ts`. */
export interface Rollout {
  readonly stickiness: Stickiness
  /** Hash of everything before the id. */
  readonly prefix: HashPrefix
  readonly limit: number
  /** True for a percentage that the profile calls a flaw. It lets nobody in. */
  readonly isFlawed: boolean
  readonly test: Test
  /** As `test`, with the reason. Draws its own random number. */
  readonly explain: (request: Request) => { readonly result: boolean; readonly decision: RolloutDecision }
}

/** Bucket of a context that cannot be placed: not even 100 % includes it. */
const NOWHERE = Number.NaN

/**
 * A percentage by a sticky field, or by chance.
 *
 * `stickiness`: `default` (also when empty or missing) is userId, else sessionId, else chance; `random` is chance; any
 * other is that context field, and a context without it is out even at 100 %. `rollout` is read as a number: fractions
 * count, whatever is no number lets nobody in. Source: client-specification 10, 12.
 */
export function flexibleRollout(parameters: Raw, compilation: Compilation): Rollout {
  const { profile, fields, flag } = compilation
  const name = textOf(parameters.stickiness || 'default') ?? ''
  const stickiness = profile.rolloutStickiness(parameters.stickiness, (field) => fields.numberOf(field))
  const group = profile.rolloutGroup(parameters, flag)
  return rolloutOf({ name, stickiness, group, percentage: parameters.rollout }, compilation)
}

/** A percentage of users; nobody without a userId. Source: client-specification 03. */
export function gradualRolloutUserId(parameters: Raw, compilation: Compilation): Rollout {
  return gradualRollout('userId', USER, parameters, compilation)
}

/** A percentage of sessions; nobody without a sessionId. Source: client-specification 04. */
export function gradualRolloutSessionId(parameters: Raw, compilation: Compilation): Rollout {
  return gradualRollout('sessionId', SESSION, parameters, compilation)
}

/** A percentage of requests. Source: client-specification 05. */
export function gradualRolloutRandom({ percentage }: Raw, compilation: Compilation): Rollout {
  return rolloutOf({ name: 'random', stickiness: CHANCE, group: '', percentage }, compilation)
}

function gradualRollout(
  name: string,
  stickiness: Stickiness,
  { groupId, percentage }: Raw,
  compilation: Compilation,
): Rollout {
  const isHeld = compilation.profile.isGroupOptional || groupId !== undefined
  const group = textOf(groupId || '') ?? ''
  return rolloutOf({ name, stickiness, group, percentage: isHeld ? percentage : 'none' }, compilation)
}

interface Share {
  readonly name: string
  readonly stickiness: Stickiness
  readonly group: string
  readonly percentage: unknown
}

function rolloutOf({ name, stickiness, group, percentage }: Share, { profile }: Compilation): Rollout {
  const read = profile.percentage(percentage)
  const limit = read ?? Number.NaN
  const prefix = startHash(profile.hashedText(`${group}:`), ROLLOUT_SEED)
  const bucket = (request: Request, value: string | undefined) => {
    if (value !== undefined) return (finishHash(prefix, profile.hashedText(value)) % 100) + 1
    return stickiness.drawsWithoutId ? Math.floor(request.random() * 100) + 1 : NOWHERE
  }
  return {
    stickiness,
    prefix,
    limit,
    isFlawed: read === undefined,
    test: (request) => bucket(request, stickiness.id(request)) <= limit,
    explain: (request) => {
      const stickinessValue = stickiness.id(request)
      const drawn = bucket(request, stickinessValue)
      const shown = Number.isNaN(drawn) ? undefined : stickinessValue === undefined ? 'random' : drawn
      return {
        result: drawn <= limit,
        decision: { stickiness: name, stickinessValue, groupId: group, bucket: shown, limit },
      }
    },
  }
}
