import type { EventQuery } from '../api/events.ts'

const NAMES = ['q', 'type', 'flag', 'project', 'env', 'by', 'from', 'to', 'agents'] as const

/** Parses the URL parameters of the event log. Names that look like numbers stay strings. */
export function parseEventSearch(given: Record<string, unknown>): EventQuery {
  const texts = NAMES.filter((name) => ['string', 'number', 'boolean'].includes(typeof given[name]))
  return Object.fromEntries(texts.map((name) => [name, String(given[name])]).filter(([, value]) => value !== ''))
}
