import { parseNumber } from '../openfeature/value-type.ts'

/** Payload of a variant in the form in which it is stored. */
export interface StoredPayload {
  readonly type: string
  readonly value: string
}

/**
 * Returns undefined if the payload is valid. Otherwise, returns the format that the type of the payload requires
 * ("JSON" or "a number").
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
