import type { EventQuery } from '../api/events.ts'

/** Reads the address of the event log. */
export function readEventSearch(given: Record<string, unknown>): EventQuery {
  const names = ['type', 'flag', 'project', 'by'] as const
  const texts = names.filter((name) => typeof given[name] === 'string' && given[name] !== '')
  return Object.fromEntries(texts.map((name) => [name, given[name]]))
}
