import type { ClientConfig } from 'pg'
import type { DatabaseOptions } from '../../database.ts'
import type { PoolSizes } from './postgres-pools.ts'

/**
 * Address of a PostgreSQL server, and connection limits of a node. The limits do not include the connection that
 * listens for changes.
 */
export interface PostgresConfig extends PoolSizes {
  readonly connection: Pick<
    ClientConfig,
    'connectionString' | 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl' | 'options' | 'application_name'
  >
  /** Schema of every session; created if missing. */
  readonly schema?: string
  /** Reads `connection` again, because parts of the value can be stored in files. */
  readonly currentConnection?: () => PostgresConfig['connection']
}

/** Additional options for PostgreSQL. */
export interface PostgresOptions extends DatabaseOptions {
  /**
   * Called with a line for the log if the database was restored, if another server is the primary, and for other
   * warnings.
   */
  readonly warn?: ((line: string) => void) | undefined
  /** Called with a line for the log about the server in use, and when changes can be written again. */
  readonly info?: ((line: string) => void) | undefined
}
