import type { DocumentFlag } from '@burgee/serving/document/environment-document'
import type { Tx } from '../database.ts'
import { readFlags } from '../document-flags.ts'

/** More would keep the writer lock for long: who wants to know then reads them after it. */
const MOST_FLAGS = 32

/** Flags that a change has changed as SDKs see them in some environments, and how they are after it. */
export class ChangedFlags {
  readonly environments: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  /**
   * How they are, by environment: read with the commit that the change is in, so with everything that was written before
   * it. Undefined until then, and where they were not read.
   */
  after: ReadonlyMap<string, readonly DocumentFlag[]> | undefined

  constructor(environments: Iterable<string>, names: Iterable<string>) {
    this.environments = new Set(environments)
    this.names = new Set(names)
  }
}

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
