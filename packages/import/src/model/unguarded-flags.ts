import { createStrategy } from './source-defaults.ts'
import type { SourceFlag, SourceState } from './source-flags.ts'

/**
 * Properties of a flag's state that determine whether the flag is on for everyone. In documents, properties whose value
 * is false may be missing.
 */
interface GuardedParts {
  readonly enabled?: boolean | undefined
  readonly strategies: readonly { readonly disabled?: boolean | null | undefined }[]
}

/** Strategy that is on for everyone. */
const FOR_EVERYONE = createStrategy({ name: 'default' })

/**
 * Returns true if SDKs consider the flag on for everyone in this environment, because it has no enabled strategy.
 * Source: wire protocol
 */
export function isUnguarded({ enabled, strategies }: GuardedParts): boolean {
  return enabled === true && strategies.every(({ disabled }) => disabled === true)
}

/**
 * Handles states in which the flag is on without an enabled strategy: adds a strategy for everyone, or switches the
 * flag off if `close` is true.
 */
export function guardFlag(flag: SourceFlag, close: boolean): SourceFlag {
  return { ...flag, states: flag.states.map((state) => (isUnguarded(state) ? guardState(state, close) : state)) }
}

function guardState(state: SourceState, close: boolean): SourceState {
  if (close) return { ...state, enabled: false }
  return { ...state, strategies: [...state.strategies, FOR_EVERYONE] }
}

/** Returns a sentence for the report about the change that `guardFlag` made to a state. */
export function describeUnguarded({ strategies }: Pick<SourceState, 'strategies'>, close: boolean): string {
  const cause =
    strategies.length === 0 ? 'it is on without any strategy' : 'it is on and all its strategies are disabled'
  const result = close
    ? 'it is turned off here, as requested'
    : 'it gets the strategy "default" here, and stays on for everyone'
  return `${cause}, which SDKs evaluate as on for everyone: ${result}`
}
