import { IMPACT_PARSE_REFUSALS, type ImpactParseRefusal } from '@burgee/protocol/usage/impact-metrics'

/**
 * Reasons for which a part of a report is not stored as reported. `metrics` and `connections` are dropped; `series` are
 * added to the series `other`; `undelivered` could not be sent to the upstream.
 */
export const IMPACT_REFUSALS = [...IMPACT_PARSE_REFUSALS, 'metrics', 'series', 'connections', 'undelivered'] as const
/** Reason for which a part of a report is not stored as reported. */
export type ImpactRefusal = ImpactParseRefusal | 'metrics' | 'series' | 'connections' | 'undelivered'

/** Number of refused parts since the start, by reason. */
export class ImpactRefusals {
  readonly #counts = new Map<ImpactRefusal, number>(IMPACT_REFUSALS.map((reason) => [reason, 0]))

  add(reason: ImpactRefusal, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
  }

  /** Adds the refusals of a report that was read. */
  addAll(counts: ReadonlyMap<ImpactRefusal, number>): void {
    for (const [reason, count] of counts) this.add(reason, count)
  }

  /** Returns the counts with their label, for a metric. */
  list(): (readonly [labels: { readonly reason: ImpactRefusal }, count: number])[] {
    return [...this.#counts].map(([reason, count]) => [{ reason }, count] as const)
  }
}
