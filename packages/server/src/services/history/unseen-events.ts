import { FOR_ADMINS } from '@burgee/protocol/event'
import type { UnseenEvents } from '../../store/events/event-names.ts'
import { type Actor, may } from '../access/rights/rights.ts'

/** Returns a filter for the events that searches and lists must hide from an actor. */
export function unseenEventsOf(actor: Actor): UnseenEvents {
  return { projects: actor.hidden ?? [], types: may(actor, 'ADMIN') ? [] : FOR_ADMINS }
}
