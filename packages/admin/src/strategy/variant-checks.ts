import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { weightProblem } from './weights.ts'

/** Whether variants can be saved: each with a name of its own, payloads that are what they say, weights that fit. */
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

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
