import { parseNumber } from '../openfeature/value-type.ts'

/** Payload of a variant as stored. */
export interface StoredPayload {
  readonly type: string
  readonly value: string
}

/**
 * Returns the format that the payload's type requires ("JSON", "a number") if the value does not comply; undefined for
 * a valid payload.
 */
export function findExpectedPayload(payload: StoredPayload | null | undefined): string | undefined {
  if (payload?.type === 'json' && !isJson(payload.value)) return 'JSON'
  if (payload?.type === 'number' && parseNumber(payload.value) === undefined) return 'a number'
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
