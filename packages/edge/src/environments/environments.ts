import type { EnvironmentDocuments } from '@burgee/serving/document/environment-documents'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'

/** How the flags of an environment stand to the upstream. Times are in milliseconds since 1970. */
export interface EnvironmentStanding {
  readonly environment: string
  readonly features: number
  /** Where what is in use comes from; of several, the one that is worth least. */
  readonly origin: 'upstream' | 'backup' | 'bootstrap'
  /** When the upstream last sent or confirmed all of it; undefined before. */
  readonly syncedAtMs: number | undefined
  readonly failures: number
  readonly lastError: { readonly message: string; readonly atMs: number } | undefined
}

/** The flags of all environments that tokens are for, brought on by the upstream. */
export interface Environments extends EnvironmentDocuments {
  /** Whether there are flags of an environment, be they as old as they may. */
  has(environment: string): boolean
  standings(): readonly EnvironmentStanding[]
  /** What is to be kept for the next start, by environment. */
  documents(): ReadonlyMap<string, FeatureDocument>
  /** Uses what an earlier process has kept, wherever the upstream has not answered yet. Never rejects. */
  restore(kept: ReadonlyMap<string, FeatureDocument>): Promise<void>
  /** Asks the upstream now rather than at the next interval. */
  refresh(): void
  close(): Promise<void>
}

/** There are no flags of an environment: no token is for it, or nothing has come yet. */
export class EnvironmentUnavailable extends Error {
  readonly environment: string
  constructor(environment: string, why: string) {
    super(`There are no flags of the environment "${environment}": ${why}`)
    this.name = 'EnvironmentUnavailable'
    this.environment = environment
  }
}
