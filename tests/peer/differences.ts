import type { Difference } from './difference.ts'
import { REFUSALS } from './refusal-differences.ts'
import { REPLIES } from './reply-differences.ts'
import { REQUESTS } from './request-differences.ts'
import { UPSTREAM } from './upstream-differences.ts'

/** All intended differences. The comparison must observe each difference at least once. */
export const DIFFERENCES: readonly Difference[] = [...REFUSALS, ...REQUESTS, ...REPLIES, ...UPSTREAM]
