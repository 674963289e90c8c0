/** Number of runs of a randomized or repeated test. */
export interface Cases {
  /** Default: enough to notice a bug that affects most inputs. */
  readonly some: number
  /** Number with BURGEE_FUZZ=full, as set by `.ci/run`. */
  readonly full: number
  /**
   * Number with BURGEE_FUZZ=full and CHAOS=full, as set by `npm run chaos`. For tests that would rarely find more bugs
   * if they ran for minutes longer.
   */
  readonly long?: number
}

/**
 * Prints and returns the number of runs. `runs` (from BURGEE_FUZZ_RUNS) overrides it. Throws if BURGEE_FUZZ is neither
 * empty nor `full`.
 */
export function casesOf(what: string, { some, full, long = full }: Cases, runs?: string): number {
  const wish = process.env.BURGEE_FUZZ ?? ''
  if (wish !== '' && wish !== 'full') throw new Error(`BURGEE_FUZZ is "${wish}", and can be "full" or nothing`)
  const most = process.env.CHAOS === 'full' ? long : full
  const count = Number(runs ?? (wish === 'full' ? most : some))
  process.stdout.write(`${what}: ${count} of ${long}\n`)
  return count
}
