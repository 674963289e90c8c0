import { inject } from 'vitest'
import { type Cases, casesOf } from '../support/cases.ts'

/** Number of a test's random walks, and their seed. */
export interface Walks {
  readonly runs: number
  readonly seed: number
}

const SHARE = 4

/**
 * Returns the random walks of a test, by BURGEE_FUZZ_RUNS and BURGEE_FUZZ_SEED if set. In the full form, PostgreSQL
 * runs at most a quarter as many walks as SQLite, with another seed: the rules are the same on both, and differences in
 * queries show up in the first walks.
 */
export function walksOf(what: string, { some, full }: Cases, seed: number): Walks {
  const isSecond = inject('driver') === 'postgres'
  const cases = isSecond ? { some: Math.min(some, full / SHARE), full: full / SHARE, long: full } : { some, full }
  const wished = process.env.BURGEE_FUZZ_SEED
  return {
    runs: casesOf(what, cases, process.env.BURGEE_FUZZ_RUNS),
    seed: wished === undefined ? seed + (isSecond ? 1 : 0) : Number(wished),
  }
}
