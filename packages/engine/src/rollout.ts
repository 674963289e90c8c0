import { finishHash, ROLLOUT_SEED, startHash } from './hash.ts'
import type { Request } from './request.ts'
import type { Scope, Test } from './scope.ts'
import { numberOf, type Raw, textOf } from './text.ts'

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

/** A percentage of somebody. */
export interface Rollout {
  readonly test: Test
  /** As `test`, with the reason. Draws its own random number. */
  readonly explain: (request: Request) => { readonly result: boolean; readonly decision: RolloutDecision }
}

/** What sticks, and what happens without it. */
interface Stickiness {
  readonly name: string
  readonly id: (request: Request) => string | undefined
  readonly drawsWithoutId: boolean
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
export function flexibleRollout(parameters: Raw, scope: Scope): Rollout {
  return rolloutOf(stickinessOf(parameters, scope), parameters, parameters.rollout)
}

/** A percentage of users; nobody without a userId. Source: client-specification 03. */
export function gradualRolloutUserId(parameters: Raw): Rollout {
  const id = (request: Request) => directId(request.context.userId)
  return rolloutOf({ name: 'userId', id, drawsWithoutId: false }, parameters, parameters.percentage)
}

/** A percentage of sessions; nobody without a sessionId. Source: client-specification 04. */
export function gradualRolloutSessionId(parameters: Raw): Rollout {
  const id = (request: Request) => directId(request.context.sessionId)
  return rolloutOf({ name: 'sessionId', id, drawsWithoutId: false }, parameters, parameters.percentage)
}

/** A percentage of requests. Source: client-specification 05. */
export function gradualRolloutRandom(parameters: Raw): Rollout {
  return rolloutOf(CHANCE, parameters, parameters.percentage)
}

const CHANCE: Stickiness = { name: 'random', id: () => undefined, drawsWithoutId: true }

function stickinessOf(parameters: Raw, scope: Scope): Stickiness {
  const name = textOf(parameters.stickiness || 'default') ?? ''
  if (name === 'random') return CHANCE
  if (name === 'default') {
    const id = ({ context }: Request) => directId(context.userId) ?? directId(context.sessionId)
    return { name, id, drawsWithoutId: true }
  }
  const slot = scope.slots.of(name)
  return { name, id: (request) => request.field(slot) || undefined, drawsWithoutId: false }
}

function directId(value: unknown): string | undefined {
  return value ? textOf(value) : undefined
}

function rolloutOf(stickiness: Stickiness, parameters: Raw, percentage: unknown): Rollout {
  const { name, id, drawsWithoutId } = stickiness
  const groupId = textOf(parameters.groupId || '') ?? ''
  const limit = numberOf(percentage)
  const prefix = startHash(`${groupId}:`, ROLLOUT_SEED)
  const bucket = (request: Request, value: string | undefined) => {
    if (value !== undefined) return (finishHash(prefix, value) % 100) + 1
    return drawsWithoutId ? Math.floor(request.world.random() * 100) + 1 : NOWHERE
  }
  return {
    test: (request) => bucket(request, id(request)) <= limit,
    explain: (request) => {
      const stickinessValue = id(request)
      const drawn = bucket(request, stickinessValue)
      const shown = Number.isNaN(drawn) ? undefined : stickinessValue === undefined ? 'random' : drawn
      return { result: drawn <= limit, decision: { stickiness: name, stickinessValue, groupId, bucket: shown, limit } }
    },
  }
}
