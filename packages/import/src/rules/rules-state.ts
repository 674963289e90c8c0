import type { Note } from '../model/fidelity.ts'
import { stateWith } from '../model/held-defaults.ts'
import type { HeldState } from '../model/held-flags.ts'
import { NotExpressible } from './condition.ts'
import { compileRules, type OrderedRule } from './ordered-rules.ts'

/** A flag in an environment of another service. */
export interface RuledState {
  readonly flag: string
  readonly environment: string
  /** Empty where it is switched off. */
  readonly rules: readonly OrderedRule[]
}

/**
 * A flag in an environment, and what is to be said of it. What cannot be said exactly is off: no flag is more open than it
 * was.
 */
export function ruledState({ flag, environment, rules }: RuledState): {
  readonly state: HeldState
  readonly notes: Note[]
} {
  const name = `${flag} in ${environment}`
  try {
    const { strategies, differences } = compileRules(rules, flag)
    const notes = differences.map((words): Note => ({ kind: 'flag', name, fidelity: 'approximated', words }))
    return { state: stateWith({ environment, enabled: strategies.length > 0, strategies }), notes }
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error
    const words = `it is off here, and without its rules: ${error.message}`
    return {
      state: stateWith({ environment, enabled: false }),
      notes: [{ kind: 'flag', name, fidelity: 'not carried', words }],
    }
  }
}
