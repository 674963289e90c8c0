import { textOf } from './raw-value.ts'
import type { Request } from './request.ts'

/** What a rollout or a list of variants sticks to: where its id comes from. */
export interface Stickiness {
  /** Those with the same key give the same id for every request of one document. */
  readonly key: string
  /** The id; undefined when the context has none. Throws nothing. */
  readonly id: (request: Request) => string | undefined
  /** Whether chance lets a percentage in where there is no id; nobody otherwise. */
  readonly drawsWithoutId: boolean
}

/** userId, else sessionId: `default` stickiness of rollouts. Source: client-specification 10. */
export const USER_OR_SESSION: Stickiness = {
  key: 'userId or sessionId',
  id: ({ context }) => directId(context.userId) ?? directId(context.sessionId),
  drawsWithoutId: true,
}

/** The top-level userId. Source: client-specification 03. */
export const USER: Stickiness = { key: 'userId', id: ({ context }) => directId(context.userId), drawsWithoutId: false }

/** The top-level sessionId. Source: client-specification 04. */
export const SESSION: Stickiness = {
  key: 'sessionId',
  id: ({ context }) => directId(context.sessionId),
  drawsWithoutId: false,
}

/** No id at all, so that chance decides. Source: client-specification 05. */
export const CHANCE: Stickiness = { key: 'chance', id: () => undefined, drawsWithoutId: true }

/** First of userId, sessionId, remoteAddress that is a text: `default` stickiness of variants. */
export const CALLER: Stickiness = {
  key: 'userId, sessionId or remoteAddress',
  id: ({ context }) => nonEmpty(context.userId) ?? nonEmpty(context.sessionId) ?? nonEmpty(context.remoteAddress),
  drawsWithoutId: true,
}

/** Any context field, by its number. Source: client-specification 12. */
export function fieldStickiness(field: number): Stickiness {
  return { key: `field ${field}`, id: (request) => request.field(field) || undefined, drawsWithoutId: false }
}

function directId(value: unknown): string | undefined {
  return value ? textOf(value) : undefined // an empty list is an id, the empty text
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
