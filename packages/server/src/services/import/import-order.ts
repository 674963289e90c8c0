import type { Kind, KindCount, Note } from '@burgee/import/model/fidelity'
import type { Installation } from '@burgee/import/model/installation'
import type { Tx } from '../../store/database.ts'
import type { Moment } from '../execute.ts'
import type { Tally } from './tally.ts'

/**
 * What becomes of what is there. `fresh`: nothing but what a first start makes may be there, and gives way. `merge`: it
 * stays, and what has the same name is not carried. `update`: what an earlier import of the same source brought gives
 * way, unless somebody has changed something since.
 */
export type ImportMode = 'fresh' | 'merge' | 'update'

/** What is to be imported, and how. */
export interface ImportOrder {
  readonly installation: Installation
  readonly mode: ImportMode
  /** Which events: all, none, or those since a time in milliseconds since 1970. */
  readonly events: 'all' | 'none' | { readonly since: number }
  /** True switches off flags that are on without an enabled strategy; otherwise they get an explicit one for everyone. */
  readonly closeUnguarded: boolean
  /** Whether integrations that are enabled there are enabled here. */
  readonly integrationsOn: boolean
  /** Hears how far it has come. */
  readonly progress: (kind: Kind, done: number, of: number) => void
  /** Begins another life of the database, as its events have other numbers afterwards. */
  readonly renewEpoch: (tx: Tx) => Promise<void>
  /** Whether all is undone at the end; events and usage are only counted then. */
  readonly isTrial: boolean
}

/** What an import has done, or would do. */
export interface ImportReport {
  readonly counts: readonly KindCount[]
  readonly notes: readonly Note[]
}

/** What the parts of an import share. */
export interface Writing {
  readonly tx: Tx
  readonly moment: Moment
  readonly order: ImportOrder
  readonly installation: Installation
  readonly tally: Tally
  /** Ids here by ids there. */
  readonly roles: Map<number, number>
  readonly users: Map<number, number>
  /** By what people were found here, by their ids there: a username may be somebody else's. */
  readonly matched: Map<number, 'email' | 'username'>
  readonly segments: Map<number, number>
}

/** What stands in the way of an import that would add to what is there. */
export const STAYS = 'there is one of this name already, which stays as it is'
