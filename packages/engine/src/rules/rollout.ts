import type { Compilation, Test } from './compilation.ts'
import { finishHash, type HashPrefix, ROLLOUT_SEED, startHash } from './hash.ts'
import { type Raw, toText } from './raw-value.ts'
import type { Request } from './request.ts'
import { CHANCE, SESSION, type Stickiness, USER } from './stickiness.ts'

/** Details of how a percentage included or excluded a context, with all inputs. */
export interface RolloutDecision {
  /** Stickiness by which the bucket was chosen: a context field, `default` or `random`. */
  readonly stickiness: string
  /** Hashed text; undefined if there was no id or the bucket is random. */
  readonly stickinessValue: string | undefined
  readonly groupId: string
  /** 1..100; `random` if chance decided; undefined if the field is missing, which excludes the context. */
  readonly bucket: number | 'random' | undefined
  /**
   * The percentage, which is the highest bucket that is included. If the parameter is not a number, the limit is NaN,
   * which includes no bucket.
   */
  readonly limit: number
}

/** Compiled percentage. `compiled/rollout-percentage.ts` is the fast form used for live evaluation. */
export interface Rollout {
  readonly stickiness: Stickiness
  /** State of the hash after the constant text in front of the id. */
  readonly prefix: HashPrefix
  readonly limit: number
  /** True if the profile rejects the percentage. A rejected percentage includes no context. */
  readonly isFlawed: boolean
  readonly test: Test
  /** Returns the result of `test`, with details. Draws a separate random number. */
  readonly explain: (request: Request) => { readonly result: boolean; readonly decision: RolloutDecision }
}

/** Bucket for a context without an id. Even a percentage of 100 does not include this bucket. */
const NOWHERE = Number.NaN

/**
 * Compiles a percentage that is decided by a sticky field or at random. With the `stickiness` `default` (also if empty
 * or missing), userId decides or, if missing, sessionId, and otherwise chance. With `random`, chance decides. Any other
 * `stickiness` names a context field; a context without this field is excluded even at 100 %. `rollout` is converted to
 * a number. Fractions are allowed; a value that is not a number includes no context. Source: client-specification 10,
 * 12.
 */
export function compileFlexibleRollout(parameters: Raw, compilation: Compilation): Rollout {
  const { profile, fields, flag } = compilation
  const name = toText(parameters.stickiness || 'default') ?? ''
  const stickiness = profile.rolloutStickiness(parameters.stickiness, (field) => fields.getNumber(field))
  const group = profile.rolloutGroup(parameters, flag)
  return createRollout({ name, stickiness, group, percentage: parameters.rollout }, compilation)
}

/** Compiles a percentage of users. Contexts without a userId are excluded. Source: client-specification 03. */
export function compileGradualRolloutUserId(parameters: Raw, compilation: Compilation): Rollout {
  return compileGradualRollout('userId', USER, parameters, compilation)
}

/** Compiles a percentage of sessions. Contexts without a sessionId are excluded. Source: client-specification 04. */
export function compileGradualRolloutSessionId(parameters: Raw, compilation: Compilation): Rollout {
  return compileGradualRollout('sessionId', SESSION, parameters, compilation)
}

/** Compiles a percentage of requests. Source: client-specification 05. */
export function compileGradualRolloutRandom({ percentage }: Raw, compilation: Compilation): Rollout {
  return createRollout({ name: 'random', stickiness: CHANCE, group: '', percentage }, compilation)
}

function compileGradualRollout(
  name: string,
  stickiness: Stickiness,
  { groupId, percentage }: Raw,
  compilation: Compilation,
): Rollout {
  const hasGroup = compilation.profile.isGroupOptional || groupId !== undefined
  const group = toText(groupId || '') ?? ''
  return createRollout({ name, stickiness, group, percentage: hasGroup ? percentage : 'none' }, compilation)
}

interface RolloutInput {
  readonly name: string
  readonly stickiness: Stickiness
  readonly group: string
  readonly percentage: unknown
}

function createRollout({ name, stickiness, group, percentage }: RolloutInput, { profile }: Compilation): Rollout {
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
