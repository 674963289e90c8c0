import type { OptionTable } from '@burgee/kit/options/options'
import { flag, text } from '@burgee/kit/options/parsers'

/** Options for the snapshot on disk, from which a server starts while its database is unavailable. */
export const SNAPSHOT_OPTIONS = {
  keepDocuments: {
    env: ['KEEP_DOCUMENTS'],
    parse: flag,
    default: true,
    doc: 'Write snapshots of the SDK configuration to disk, so that a server that starts while its database is down can serve SDKs from them.',
  },
  keepDocumentsFolder: {
    env: ['KEEP_DOCUMENTS_FOLDER'],
    parse: text,
    defaultDoc: 'the data directory; with PostgreSQL a directory of the current user in the temporary directory',
    doc: 'Folder of the snapshots.',
  },
} as const satisfies OptionTable
