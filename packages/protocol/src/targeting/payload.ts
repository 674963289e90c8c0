import { numberOfText } from '../openfeature/value-type.ts'

/** Payload of a variant, as it is stored. */
export interface StoredPayload {
  readonly type: string
  readonly value: string
}

/** Returns what the type of a payload promises and its value is not ("JSON", "a number"); undefined for a readable payload. */
export function expectedPayload(payload: StoredPayload | null | undefined): string | undefined {
  if (payload?.type === 'json' && !isJson(payload.value)) return 'JSON'
  if (payload?.type === 'number' && numberOfText(payload.value) === undefined) return 'a number'
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
