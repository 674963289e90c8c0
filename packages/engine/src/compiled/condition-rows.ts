import { OFF, ON } from '../rules/feature.ts'
import { type CachingRequest, IS_NEGATED } from './registry.ts'
import { CONDITION_SIZE } from './rows.ts'

/**
 * Decides all flags whose only condition is looked up in a dictionary. The condition holds if the entry for it in
 * `memory` equals `isTrue`.
 */
export function decideListed(rows: Int32Array, outcomes: Uint16Array, memory: Int32Array, isTrue: number): void {
  for (let at = 0; at < rows.length; at += CONDITION_SIZE) {
    const ref = rows[at + 1] as number
    outcomes[rows[at] as number] = Number(memory[ref >> 2] === isTrue) ^ (ref & IS_NEGATED)
  }
}

/** Decides all flags whose only condition is not looked up in a dictionary. Evaluates the condition. */
export function decideTested(rows: Int32Array, outcomes: Uint16Array, request: CachingRequest): void {
  for (let at = 0; at < rows.length; at += CONDITION_SIZE) {
    outcomes[rows[at] as number] = request.holds(rows[at + 1] as number) ? ON : OFF
  }
}
