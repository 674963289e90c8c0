import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { weightProblem } from './weights.ts'

/** Returns true if variants can be saved: unique names, valid payloads and valid weights. */
export function areGoodVariants(values: readonly VariantInput[]): boolean {
  const names = values.map(({ name }) => name.trim())
  return (
    names.every((name) => name !== '') &&
    new Set(names).size === names.length &&
    values.every(({ payload }) => payload === undefined || isGoodPayload(payload)) &&
    weightProblem(values) === undefined
  )
}

function isGoodPayload({ type, value }: NonNullable<VariantInput['payload']>): boolean {
  if (type === 'json') return isJson(value)
  return type !== 'number' || (value.trim() !== '' && Number.isFinite(Number(value)))
}

/** Returns true if a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
