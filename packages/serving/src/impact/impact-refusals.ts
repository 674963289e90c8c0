import { IMPACT_PARSE_REFUSALS, type ImpactParseRefusal } from '@burgee/protocol/usage/impact-metrics'

/**
 * Reasons why a part of a report is not stored as reported. `metrics` and `connections` are dropped, `series` are added
 * to the `other` series, and `undelivered` parts could not be sent to the upstream.
 */
export const IMPACT_REFUSALS = [...IMPACT_PARSE_REFUSALS, 'metrics', 'series', 'connections', 'undelivered'] as const
/** Reason why a part of a report is not stored as reported. */
export type ImpactRefusal = ImpactParseRefusal | 'metrics' | 'series' | 'connections' | 'undelivered'

/** Number of refused parts since the start, by reason. */
export class ImpactRefusals {
  readonly #counts = new Map<ImpactRefusal, number>(IMPACT_REFUSALS.map((reason) => [reason, 0]))

  add(reason: ImpactRefusal, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
  }

  /** Adds the numbers of refused parts of a report. */
  addAll(counts: ReadonlyMap<ImpactRefusal, number>): void {
    for (const [reason, count] of counts) this.add(reason, count)
  }

  /** Returns the counts by label, in the form that a Prometheus metric needs. */
  list(): (readonly [labels: { readonly reason: ImpactRefusal }, count: number])[] {
    return [...this.#counts].map(([reason, count]) => [{ reason }, count] as const)
  }
}
