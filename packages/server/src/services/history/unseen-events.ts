import { FOR_ADMINS } from '@burgee/protocol/event'
import type { UnseenEvents } from '../../store/events/event-names.ts'
import { type Actor, may } from '../access/rights/rights.ts'

/** Returns what searches and lists of events leave out for an actor. */
export function unseenEventsOf(actor: Actor): UnseenEvents {
  return { projects: actor.hidden ?? [], types: may(actor, 'ADMIN') ? [] : FOR_ADMINS }
}
