import type { Discrepancy, Situation } from './compare.ts'

/** One way in which we differ from the established proxy, on purpose. */
export interface Difference {
  readonly id: string
  /** Whether this row explains one discrepancy of one request. */
  readonly applies: (found: Discrepancy, situation: Situation) => boolean
  /** What the peer does. */
  readonly peer: string
  /** What we do. */
  readonly ours: string
  /** Why no SDK is troubled by it. */
  readonly safe: string
}

/** Every deliberate difference; each one is met by the comparison at least once. */
export const DIFFERENCES: readonly Difference[] = []
