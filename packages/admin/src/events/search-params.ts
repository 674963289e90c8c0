import type { EventQuery } from '../api/events.ts'

const NAMES = ['q', 'type', 'flag', 'project', 'env', 'by', 'from', 'to'] as const

/** Reads the address of the event log; names that look like numbers are names. */
export function readEventSearch(given: Record<string, unknown>): EventQuery {
  const texts = NAMES.filter((name) => ['string', 'number', 'boolean'].includes(typeof given[name]))
  return Object.fromEntries(texts.map((name) => [name, String(given[name])]).filter(([, value]) => value !== ''))
}
