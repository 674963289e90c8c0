import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { PrivateTemporaryFolder } from '@burgee/kit/files/private-temporary-folder'
import { SnapshotFile } from '@burgee/storage/queries/snapshot/snapshot-file'
import { toPostgresConfig } from '../core/options/database-options.ts'
import type { ServerOptions } from '../core/options/options.ts'

/** Name of the snapshot in a data directory. */
export const SNAPSHOT_FILE_NAME = 'burgee.kept'
const SHOWN = 16

/**
 * Returns the snapshot file of a server, or undefined if snapshots are disabled. If the database is embedded and no
 * folder is configured, the file is in the data directory. Otherwise the file name depends on the database and the
 * port, so that two servers never share a file.
 */
export function createSnapshotFile(options: ServerOptions): SnapshotFile | undefined {
  const { keepDocuments, keepDocumentsFolder: folder, dataDir } = options
  if (!keepDocuments) return undefined
  const isEmbedded = toPostgresConfig(options) === undefined
  if (isEmbedded && folder === undefined) return new SnapshotFile(join(dataDir, SNAPSHOT_FILE_NAME))
  const name = `burgee-${sourceHash(options)}.kept`
  if (folder !== undefined) return new SnapshotFile(join(folder, name))
  const own = new PrivateTemporaryFolder('burgee-server', 'KEEP_DOCUMENTS_FOLDER')
  return new SnapshotFile(join(own.path, name), own)
}

/** Returns a hash of the settings that identify the server. Excludes secrets. */
function sourceHash(options: ServerOptions): string {
  const connection = toPostgresConfig(options)?.connection
  const place =
    connection === undefined
      ? [resolve(options.dataDir)]
      : [
          withoutSecrets(connection.connectionString),
          connection.host,
          connection.port,
          connection.database,
          connection.user,
        ]
  return createHash('sha256')
    .update(JSON.stringify([place, options.port]))
    .digest('hex')
    .slice(0, SHOWN)
}

function withoutSecrets(url: string | undefined): string | undefined {
  return url?.replace(/\/\/[^/]*@/, '//').replace(/([?&])password=[^&]*/g, '$1')
}
