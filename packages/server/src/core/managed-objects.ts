import type { ManagedBy } from '@burgee/protocol/administration/managed-by'
import type { OriginRow } from '@burgee/storage/queries/transfer/config-origins'

/** Origins of managed objects, keyed by kind and name. */
export type OriginIndex = ReadonlyMap<string, readonly OriginRow[]>

/** Files that manage flags and other objects, in memory. */
export interface FlagOrigins {
  /** Returns the origins of all managed objects. Rejects on database errors. */
  current(): Promise<OriginIndex>
  /**
   * Returns the file of its project that manages a flag; undefined if there is none. Files of a project that the flag
   * has left do not count, because that project can be private. Rejects on database errors.
   */
  find(flag: { readonly project: string; readonly feature: string }): Promise<ManagedBy | undefined>
  close(): void
}
