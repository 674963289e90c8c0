import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { OwnTemporaryFolder } from '@burgee/kit/files/own-folder'
import { postgresConfigOf } from './database-options.ts'
import type { ServerOptions } from './options.ts'
import { KeptFile } from './store/kept/kept-file.ts'

/** In a data directory. */
export const KEPT_NAME = 'burgee.kept'
const SHOWN = 16

/**
 * Where a server keeps what SDKs are served from; undefined where it keeps nothing. In the data directory where the
 * database is embedded; otherwise by database and port, so that servers of several databases, or several servers of
 * one, do not share it.
 */
export function keptFileOf(options: ServerOptions): KeptFile | undefined {
  const { keepDocuments, keepDocumentsFolder: folder, dataDir } = options
  if (!keepDocuments) return undefined
  const isEmbedded = postgresConfigOf(options) === undefined
  if (isEmbedded && folder === undefined) return new KeptFile(join(dataDir, KEPT_NAME))
  const name = `burgee-${sourceHash(options)}.kept`
  if (folder !== undefined) return new KeptFile(join(folder, name))
  const own = new OwnTemporaryFolder('burgee-server', 'KEEP_DOCUMENTS_FOLDER')
  return new KeptFile(join(own.path, name), own)
}

/** By all that says which server it is, and nothing that is secret. */
function sourceHash(options: ServerOptions): string {
  const connection = postgresConfigOf(options)?.connection
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
