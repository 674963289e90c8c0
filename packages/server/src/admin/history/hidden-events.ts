import { ADMIN_EVENT_PREFIXES } from '@burgee/protocol/event'
import type { HiddenEvents } from '@burgee/storage/queries/events/event-names'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'

/** Returns a filter for the events that searches and lists must hide from an actor. */
export function getHiddenEvents(actor: Actor): HiddenEvents {
  return { projects: actor.hidden ?? [], types: hasPermission(actor, 'ADMIN') ? [] : ADMIN_EVENT_PREFIXES }
}
