/** How many cases a randomised or repeated test runs. */
export interface Cases {
  /** Normally: enough to see what is broken for most inputs. */
  readonly some: number
  /** With BURGEE_FUZZ=full, as `.ci/run` sets it. */
  readonly full: number
  /** With CHAOS=full as well, as `npm run chaos` sets it, where that is more: minutes of the same that seldom tell more. */
  readonly long?: number
}

/**
 * How many cases to run, which is printed. Where `runs` is given, from BURGEE_FUZZ_RUNS, it is that many. Throws where
 * BURGEE_FUZZ is neither empty nor `full`.
 */
export function casesOf(what: string, { some, full, long = full }: Cases, runs?: string): number {
  const wish = process.env.BURGEE_FUZZ ?? ''
  if (wish !== '' && wish !== 'full') throw new Error(`BURGEE_FUZZ is "${wish}", and can be "full" or nothing`)
  const most = process.env.CHAOS === 'full' ? long : full
  const count = Number(runs ?? (wish === 'full' ? most : some))
  process.stdout.write(`${what}: ${count} of ${long}\n`)
  return count
}
