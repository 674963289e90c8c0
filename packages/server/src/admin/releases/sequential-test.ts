/** Number of evaluations in a group, and how many of them were followed by an event. */
export interface Proportion {
  readonly events: number
  readonly evaluations: number
}

/** Result of a comparison of two groups. */
export interface Comparison {
  /** Rate of the group with the flag minus the rate of the group without it. */
  readonly difference: number
  /**
   * Evidence against equal rates. If the rates are equal, the evidence ever exceeds 1/α with a probability of at most
   * α.
   */
  readonly evidence: number
}

/** Maximum probability that a safeguard trips although the flag makes no difference. */
export const ALPHA = 0.05

/**
 * Compares the rates of two groups by a mixture sequential probability ratio test. The result stays valid no matter how
 * often the test is evaluated. The groups are the users with the flag on and the users with the flag off. Source: wire
 * protocol "Guarded releases"
 *
 * @param tau smallest difference that matters, used as the standard deviation of the mixture
 */
export function compareRates(on: Proportion, off: Proportion, tau: number): Comparison {
  const [rateOn, rateOff] = [getRate(on), getRate(off)]
  const difference = rateOn - rateOff
  const all = on.evaluations + off.evaluations
  const pooled = all === 0 ? 0 : (rateOn * on.evaluations + rateOff * off.evaluations) / all
  const variance = pooled * (1 - pooled) * (1 / on.evaluations + 1 / off.evaluations)
  // the rate is 0 in both groups, or 1 in both groups
  if (!(variance > 0) || !Number.isFinite(variance)) return { difference, evidence: 0 }
  const mixed = variance + tau ** 2
  const evidence = Math.sqrt(variance / mixed) * Math.exp((tau ** 2 * difference ** 2) / (2 * variance * mixed))
  return { difference, evidence }
}

/** Returns true if the evidence of a comparison is sufficient and the difference has the given sign. */
export function isSignificant({ difference, evidence }: Comparison, operator: '>' | '<'): boolean {
  return evidence > 1 / ALPHA && (operator === '>' ? difference > 0 : difference < 0)
}

/** Returns the rate of a group. The rate is at most 1, even if evaluations were followed by several events each. */
function getRate({ events, evaluations }: Proportion): number {
  return evaluations === 0 ? 0 : Math.min(events / evaluations, 1)
}
