import type { Tx } from '../database.ts'
import { readFlags } from '../document-flags.ts'
import type { ChangedFlags } from './changed-flags.ts'

/**
 * Maximum number of changed flags to read. Reading more flags would hold the writer lock for too long; subscribers then
 * read them after the commit.
 */
const MAX_FLAGS = 32

/**
 * Reads the current state of the flags that the changes of one transaction have changed, in one pass. Returns undefined
 * if no flags have changed, or more than the maximum. All statements are sent before the promise is returned. Rejects
 * with the error of the database.
 */
export function readChangedFlags(tx: Tx, changed: readonly ChangedFlags[]): ReturnType<typeof readFlags> | undefined {
  const environments = new Set(changed.flatMap((one) => [...one.environments]))
  const names = new Set(changed.flatMap((one) => [...one.names]))
  if (names.size === 0 || names.size > MAX_FLAGS) return undefined
  return readFlags(tx, [...environments], [...names])
}
