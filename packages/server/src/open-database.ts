import { join } from 'node:path'
import { postgresConfigOf } from './database-options.ts'
import type { ServerOptions } from './options.ts'
import type { Database, DatabaseOptions } from './store/database.ts'
import { lockDirectory } from './store/directory-lock.ts'
import { openPostgres } from './store/postgres.ts'
import { closeToOthers } from './store/private-files.ts'
import { openSqlite } from './store/sqlite.ts'

const FILE = 'burgee.sqlite'

/** What opening may be given besides. */
export interface OpenOptions extends DatabaseOptions {
  /** Hears of files that other users of the machine could read. */
  readonly warn?: (line: string) => void
}

/**
 * Opens the PostgreSQL that the options name, or the embedded database of the data directory; that directory is then
 * this process's own until the database is closed, and closed to other users of the machine as far as it is ours.
 * Throws DirectoryInUse, or what the file system or the database throw; then nothing stays open.
 */
export async function openDatabase(options: ServerOptions, settings: OpenOptions): Promise<Database> {
  const postgres = postgresConfigOf(options)
  if (postgres !== undefined) return openPostgres(postgres, settings)
  const lock = await lockDirectory(options.dataDir)
  try {
    for (const line of await closeToOthers(options.dataDir)) settings.warn?.(line)
    const db = await openSqlite(join(options.dataDir, FILE), settings)
    const close = async (): Promise<void> => {
      try {
        await db.close()
      } finally {
        await lock.release()
      }
    }
    return { ...db, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}
