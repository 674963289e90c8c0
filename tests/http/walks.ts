import { inject } from 'vitest'
import { type Cases, casesOf } from '../support/cases.ts'

/** Which random walks a test makes: as many of those that the seed names. */
export interface Walks {
  readonly runs: number
  readonly seed: number
}

const SHARE = 4

/**
 * Random walks of administration, by BURGEE_FUZZ_RUNS and BURGEE_FUZZ_SEED where those are given. On PostgreSQL a quarter of
 * all, and other ones than on the embedded database: rules are the same on both, and what a query means elsewhere shows
 * in the first walks that come by it.
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
