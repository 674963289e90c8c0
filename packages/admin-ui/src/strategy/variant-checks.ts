import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { findWeightProblem } from './weights.ts'

/** Returns true if variants can be saved: their names are unique, and their payloads and weights are valid. */
export function areValidVariants(values: readonly VariantInput[]): boolean {
  const names = values.map(({ name }) => name.trim())
  return (
    names.every((name) => name !== '') &&
    new Set(names).size === names.length &&
    values.every(({ payload }) => payload === undefined || isValidPayload(payload)) &&
    findWeightProblem(values) === undefined
  )
}

function isValidPayload({ type, value }: NonNullable<VariantInput['payload']>): boolean {
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

/**
 * Returns the line of the first syntax error in a JSON text, counted from 1. Returns undefined if the browser's
 * JavaScript engine reports no position.
 */
export function findJsonErrorLine(text: string): number | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const position = /position (\d+)/.exec(message)?.[1]
    if (position !== undefined) return text.slice(0, Number(position)).split('\n').length
    if (/end of/i.test(message)) return text.split('\n').length
  }
  return undefined
}
