import { isObject } from '@burgee/kit/input/is-object'

/** Validates a message that contains a whole configuration instead of events. */
export function requireConfiguration(message: unknown): object {
  if (isObject(message) && Array.isArray(message.features)) return message
  throw new Error('has a message that is neither a delta nor a configuration')
}

/** Returns the id of the last event in a message, or 0 if the message has no events. */
export function findLastEventId(events: readonly unknown[]): number {
  const last = events.at(-1)
  return isObject(last) && typeof last.eventId === 'number' ? last.eventId : 0
}

/** Returns true if an event has a lower id than the given number. */
export function isBefore(event: unknown, id: number): boolean {
  return isObject(event) && typeof event.eventId === 'number' && event.eventId < id
}
