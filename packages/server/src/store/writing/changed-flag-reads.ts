import type { Tx } from '../database.ts'
import { readFlags } from '../document-flags.ts'
import type { ChangedFlags } from './changed-flags.ts'

/** More would keep the writer lock for long: who wants to know then reads them after it. */
const MOST_FLAGS = 32

/**
 * Reads how flags are that changes of one transaction have changed, in one go for all of them; undefined where there are
 * none, or too many. All statements are sent when this returns. Rejects with what the database throws.
 */
export function readChangedFlags(tx: Tx, changed: readonly ChangedFlags[]): ReturnType<typeof readFlags> | undefined {
  const environments = new Set(changed.flatMap((one) => [...one.environments]))
  const names = new Set(changed.flatMap((one) => [...one.names]))
  if (names.size === 0 || names.size > MOST_FLAGS) return undefined
  return readFlags(tx, [...environments], [...names])
}
