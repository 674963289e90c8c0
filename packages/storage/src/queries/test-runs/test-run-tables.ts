import type { FlagOverride } from '@burgee/protocol/administration/test-run'
import type { Json, Millis } from '../../columns.ts'

/** Tables of test runs. */
export interface TestRunTables {
  test_runs: {
    /** 24 random hex digits. */
    id: string
    project: string
    environment: string
    name: string
    /** SHA-256 of the token for server-side SDKs, hex. */
    client_hash: string
    /** SHA-256 of the token for pages and apps, hex. */
    frontend_hash: string
    overrides: Json<Record<string, FlagOverride>>
    /** Starts at 1, and grows with each change of the overrides. */
    version: number
    /** Name of the user or token that started the run. */
    created_by: string
    created_at: Millis
    expires_at: Millis
  }
}
