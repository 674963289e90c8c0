import type { Event } from '@burgee/protocol/event'

const NAME_KEYS = ['name', 'tokenName', 'username', 'id'] as const

/** Returns the name of the object that an event is about; empty if that object has no name. */
export function getEventSubject({ featureName, data, preData }: Event): string {
  if (featureName !== null) return featureName
  for (const state of [data, preData]) {
    const named = typeof state === 'object' && state !== null ? (state as Readonly<Record<string, unknown>>) : {}
    if (typeof named.type === 'string' && typeof named.value === 'string') return `${named.type}:${named.value}`
    const name = NAME_KEYS.map((key) => named[key]).find((value) => typeof value === 'string' && value !== '')
    if (name !== undefined) return String(name)
  }
  return ''
}
