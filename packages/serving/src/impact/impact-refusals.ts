import { IMPACT_PARSE_REFUSALS, type ImpactParseRefusal } from '@burgee/protocol/usage/impact-metrics'

/**
 * Reasons for not storing part of a report as it was reported. With `metrics` and `connections`, the part is dropped;
 * with `series`, it is added to the `other` series; with `undelivered`, it could not be sent to the upstream.
 */
export const IMPACT_REFUSALS = [...IMPACT_PARSE_REFUSALS, 'metrics', 'series', 'connections', 'undelivered'] as const
/** Reason for not storing part of a report as it was reported. */
export type ImpactRefusal = ImpactParseRefusal | 'metrics' | 'series' | 'connections' | 'undelivered'

/** Number of rejected parts of reports since startup, by reason. */
export class ImpactRefusals {
  readonly #counts = new Map<ImpactRefusal, number>(IMPACT_REFUSALS.map((reason) => [reason, 0]))

  add(reason: ImpactRefusal, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
  }

  /** Adds the number of parts of one report that were rejected. */
  addAll(counts: ReadonlyMap<ImpactRefusal, number>): void {
    for (const [reason, count] of counts) this.add(reason, count)
  }

  /** Returns the counts by label, in the form that a Prometheus metric needs. */
  list(): (readonly [labels: { readonly reason: ImpactRefusal }, count: number])[] {
    return [...this.#counts].map(([reason, count]) => [{ reason }, count] as const)
  }
}
