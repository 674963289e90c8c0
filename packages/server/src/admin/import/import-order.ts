import type { Kind, KindCount, Note } from '@burgee/import/model/fidelity'
import type { Installation } from '@burgee/import/model/installation'
import type { Tx } from '@burgee/storage/database'
import type { ChangeContext } from '../../core/execute.ts'
import type { ImportSummary } from './import-summary.ts'

/**
 * Mode of an import, which determines how existing data is treated.
 *
 * - `fresh`: replaces the data that the first start has created; there must be no other data.
 * - `merge`: keeps existing data, and skips imported items whose names already exist.
 * - `update`: replaces the data of an earlier import of the same source, unless that data has been changed since.
 */
export type ImportMode = 'fresh' | 'merge' | 'update'

/** Installation to import, and the options of the import. */
export interface ImportOrder {
  readonly installation: Installation
  readonly mode: ImportMode
  /** Events to import: all, none, or only since a time in milliseconds since 1970. */
  readonly events: 'all' | 'none' | { readonly since: number }
  /**
   * True to turn off flags that are on without an enabled strategy. If false, such flags get an explicit strategy for
   * everyone.
   */
  readonly closeUnguarded: boolean
  /** True to enable the integrations that are enabled in the source. */
  readonly integrationsOn: boolean
  /** Called with the number of items done and their total. */
  readonly progress: (kind: Kind | 'flag state', done: number, of: number) => void
  /** Starts a new database epoch, because the import changes the ids of events. */
  readonly renewEpoch: (tx: Tx) => Promise<void>
  /** True to roll back everything at the end. In a trial, events and usage are only counted. */
  readonly isTrial: boolean
}

/** Effects of an import, performed or planned. */
export interface ImportReport {
  readonly counts: readonly KindCount[]
  readonly notes: readonly Note[]
}

/** Shared state of the parts of an import. */
export interface ImportContext {
  readonly tx: Tx
  readonly moment: ChangeContext
  readonly order: ImportOrder
  readonly installation: Installation
  readonly tally: ImportSummary
  /** Ids in this database, keyed by ids in the source. */
  readonly roles: Map<number, number>
  readonly users: Map<number, number>
  /**
   * Property by which an existing user was matched, keyed by the user's id in the source. A match by `username` is not
   * proof: the username may belong to someone else.
   */
  readonly matched: Map<number, 'email' | 'username'>
  readonly segments: Map<number, number>
}

/** Note on an item that a merge skips, because an item with the same name already exists. */
export const ALREADY_EXISTS = 'one with this name already exists and stays unchanged'
