import type { ChangeListener } from '@burgee/serving/document/document-listeners'
import type { DocumentRevision } from '@burgee/serving/document/environment-document'
import type { EnvironmentDocuments } from '@burgee/serving/document/environment-documents'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'

/** Status of fetching the flags of an environment. Times are in milliseconds since 1970. */
export interface EnvironmentStatus {
  readonly environment: string
  readonly features: number
  /** Origin of the flags in use; if there are several origins, the least trusted one. */
  readonly origin: 'upstream' | 'backup' | 'bootstrap'
  /** Time at which the upstream last sent or confirmed the flags; undefined if it has done neither. */
  readonly syncedAtMs: number | undefined
  readonly failures: number
  readonly lastError: { readonly message: string; readonly atMs: number } | undefined
}

/** Flags of all environments that have a token, kept up to date by the upstream. */
export interface Environments extends EnvironmentDocuments {
  /** Returns true if an environment has flags, even if they are outdated. */
  has(environment: string): boolean
  listStatuses(): readonly EnvironmentStatus[]
  /** Calls the listener after each change, with the new state. Returns a function that unsubscribes the listener. */
  subscribe(listener: ChangeListener): () => void
  /** Returns the upstream revision that a recent revision of this node was created from; undefined if it is unknown. */
  findUpstreamNumber(environment: string, revision: DocumentRevision): number | undefined
  /** Returns the documents to store for the next start, by environment. */
  documents(): ReadonlyMap<string, FeatureDocument>
  /** Uses the flags that an earlier process stored, until the upstream has responded. Never rejects. */
  restore(kept: ReadonlyMap<string, FeatureDocument>): Promise<void>
  /** Polls the upstream immediately instead of at the next interval. */
  refresh(): void
  close(): Promise<void>
}

/** Thrown if an environment has no flags: either no token belongs to it, or no flags have arrived yet. */
export class EnvironmentUnavailable extends Error {
  readonly environment: string
  constructor(environment: string, why: string) {
    super(`There are no flags for the environment "${environment}": ${why}`)
    this.name = 'EnvironmentUnavailable'
    this.environment = environment
  }
}
