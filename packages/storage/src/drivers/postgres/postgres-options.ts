import type { ClientConfig } from 'pg'
import type { DatabaseOptions } from '../../database.ts'
import type { PoolSizes } from './postgres-pools.ts'

/**
 * Address of a PostgreSQL server, and how many connections a node may use. The connection that listens for changes is
 * not included in these limits.
 */
export interface PostgresConfig extends PoolSizes {
  readonly connection: Pick<
    ClientConfig,
    'connectionString' | 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl' | 'options' | 'application_name'
  >
  /** Schema for every session; created if it does not exist. */
  readonly schema?: string
  /** Reads `connection` again, because files can contain parts of its value. */
  readonly currentConnection?: () => PostgresConfig['connection']
}

/** Options that only PostgreSQL has. */
export interface PostgresOptions extends DatabaseOptions {
  /**
   * Called with a line for the log if the database was restored, if another server has become the primary, and for
   * other warnings.
   */
  readonly warn?: ((line: string) => void) | undefined
  /** Called with a line for the log when a server is taken into use, and when changes can be written again. */
  readonly info?: ((line: string) => void) | undefined
}
