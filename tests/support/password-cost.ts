import type { PasswordCost } from '@burgee/server/services/access/passwords/passwords'

/** Next to no work: for servers whose passwords protect nothing. What the command takes is held by `access.test.ts`. */
export const CHEAP: PasswordCost = { N: 2, r: 1, p: 1 }
