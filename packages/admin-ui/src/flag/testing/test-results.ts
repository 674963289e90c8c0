import type { PlaygroundResponse, PlaygroundStrategy } from '@burgee/protocol/playground'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { createContext, useContext } from 'react'
import { isOutsideRollout } from '../../playground/rollout-decision.ts'

/** Results of the tested context, keyed by strategy id. */
export type TestResults = ReadonlyMap<string, PlaygroundStrategy>

const NO_RESULTS: TestResults = new Map()

/** Results of the open test panel; empty while the panel is closed. */
export const TestResultsContext = createContext<TestResults>(NO_RESULTS)

/**
 * Returns the results of a flag, keyed by strategy id. If there are results for several contexts, only the first
 * context counts.
 */
export function toTestResults(feature: PlaygroundResponse['features'][number] | undefined): TestResults {
  const first = Object.values(feature?.environments ?? {}).flatMap((results) => results.slice(0, 1))
  return new Map(first.flatMap(({ strategies }) => strategies.data.map((one) => [one.id, one] as const)))
}

/** Parts of a strategy that the tested context does not match. */
export interface FailedParts {
  /** True if the rollout percentage excludes the context. */
  readonly rollout: boolean
  /** One boolean per constraint, then one per segment: true if the context does not match it. */
  readonly conditions: readonly boolean[]
}

const NOTHING_FAILED: FailedParts = { rollout: false, conditions: [] }

/** Returns the parts of a strategy that the tested context does not match. */
export function useFailedParts(strategy: AdminStrategy): FailedParts {
  const result = useContext(TestResultsContext).get(strategy.id)
  return result === undefined || strategy.disabled ? NOTHING_FAILED : listFailedParts(strategy, result)
}

/** Compares a strategy with its result, condition by condition. */
export function listFailedParts(
  { constraints, segments }: Pick<AdminStrategy, 'constraints' | 'segments'>,
  result: Pick<PlaygroundStrategy, 'constraints' | 'segments' | 'decision'>,
): FailedParts {
  const failedSegments = new Set(result.segments.filter((one) => !one.result).map(({ id }) => id))
  return {
    rollout: isOutsideRollout(result.decision),
    conditions: [
      ...constraints.map((_, index) => result.constraints[index]?.result === false),
      ...segments.map((id) => failedSegments.has(id)),
    ],
  }
}
