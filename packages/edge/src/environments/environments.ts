import type { EnvironmentDocuments } from '@burgee/serving/document/environment-documents'

/** How the flags of an environment stand to the upstream. Times are in milliseconds since 1970. */
export interface EnvironmentStanding {
  readonly environment: string
  readonly features: number
  /** Where what is in use comes from. */
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
  /** Asks the upstream now rather than at the next interval. */
  refresh(): void
  close(): Promise<void>
}
