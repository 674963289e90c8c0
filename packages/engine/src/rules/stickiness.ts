import { toText } from './raw-value.ts'
import type { Request } from './request.ts'

/** Source of the id that a rollout or a list of variants hashes. */
export interface Stickiness {
  /** Equal keys yield the same id for every request of one document. */
  readonly key: string
  /** Returns the id, or undefined if the context does not have it. Never throws. */
  readonly id: (request: Request) => string | undefined
  /** True if a context without an id gets a random result; false if a percentage excludes such a context. */
  readonly drawsWithoutId: boolean
}

/** Stickiness `default` of rollouts: userId or, if missing, sessionId. Source: client-specification 10. */
export const USER_OR_SESSION: Stickiness = {
  key: 'userId or sessionId',
  id: ({ context }) => toDirectId(context.userId) ?? toDirectId(context.sessionId),
  drawsWithoutId: true,
}

/** Stickiness based on the top-level userId. Source: client-specification 03. */
export const USER: Stickiness = {
  key: 'userId',
  id: ({ context }) => toDirectId(context.userId),
  drawsWithoutId: false,
}

/** Stickiness based on the top-level sessionId. Source: client-specification 04. */
export const SESSION: Stickiness = {
  key: 'sessionId',
  id: ({ context }) => toDirectId(context.sessionId),
  drawsWithoutId: false,
}

/** Stickiness that uses no id, so that the result is always random. Source: client-specification 05. */
export const CHANCE: Stickiness = { key: 'chance', id: () => undefined, drawsWithoutId: true }

/** Stickiness `default` of variants: the first non-empty string of userId, sessionId and remoteAddress. */
export const CALLER: Stickiness = {
  key: 'userId, sessionId or remoteAddress',
  id: ({ context }) => toNonEmpty(context.userId) ?? toNonEmpty(context.sessionId) ?? toNonEmpty(context.remoteAddress),
  drawsWithoutId: true,
}

/** Returns the stickiness for a context field. Source: client-specification 12. */
export function createFieldStickiness(field: number): Stickiness {
  return { key: `field ${field}`, id: (request) => request.field(field) || undefined, drawsWithoutId: false }
}

function toDirectId(value: unknown): string | undefined {
  return value ? toText(value) : undefined // an empty list is truthy, and its id is the empty string
}

function toNonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
