import type { PasswordCost } from '@burgee/server/core/access/passwords/passwords'

/** Cheapest possible password cost, for test servers. `access.test.ts` checks the cost that the real command uses. */
export const CHEAP: PasswordCost = { N: 2, r: 1, p: 1 }
