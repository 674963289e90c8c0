import type { Compilation, Test } from './compilation.ts'
import { finishHash, type HashPrefix, ROLLOUT_SEED, startHash } from './hash.ts'
import { numberOf, type Raw, textOf } from './raw-value.ts'
import type { Request } from './request.ts'
import { CHANCE, fieldStickiness, SESSION, type Stickiness, USER, USER_OR_SESSION } from './stickiness.ts'

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
  const name = textOf(parameters.stickiness || 'default') ?? ''
  return rolloutOf(name, stickinessOf(name, compilation), parameters, parameters.rollout)
}

/** A percentage of users; nobody without a userId. Source: client-specification 03. */
export function gradualRolloutUserId(parameters: Raw): Rollout {
  return rolloutOf('userId', USER, parameters, parameters.percentage)
}

/** A percentage of sessions; nobody without a sessionId. Source: client-specification 04. */
export function gradualRolloutSessionId(parameters: Raw): Rollout {
  return rolloutOf('sessionId', SESSION, parameters, parameters.percentage)
}

/** A percentage of requests. Source: client-specification 05. */
export function gradualRolloutRandom(parameters: Raw): Rollout {
  return rolloutOf('random', CHANCE, parameters, parameters.percentage)
}

function stickinessOf(name: string, compilation: Compilation): Stickiness {
  if (name === 'random') return CHANCE
  return name === 'default' ? USER_OR_SESSION : fieldStickiness(compilation.fields.numberOf(name))
}

function rolloutOf(name: string, stickiness: Stickiness, parameters: Raw, percentage: unknown): Rollout {
  const groupId = textOf(parameters.groupId || '') ?? ''
  const limit = numberOf(percentage)
  const prefix = startHash(`${groupId}:`, ROLLOUT_SEED)
  const bucket = (request: Request, value: string | undefined) => {
    if (value !== undefined) return (finishHash(prefix, value) % 100) + 1
    return stickiness.drawsWithoutId ? Math.floor(request.random() * 100) + 1 : NOWHERE
  }
  return {
    ...{ stickiness, prefix, limit },
    test: (request) => bucket(request, stickiness.id(request)) <= limit,
    explain: (request) => {
      const stickinessValue = stickiness.id(request)
      const drawn = bucket(request, stickinessValue)
      const shown = Number.isNaN(drawn) ? undefined : stickinessValue === undefined ? 'random' : drawn
      return { result: drawn <= limit, decision: { stickiness: name, stickinessValue, groupId, bucket: shown, limit } }
    },
  }
}
