import type { OptionTable } from '@burgee/kit/options/options'
import { flag, text } from '@burgee/kit/options/parsers'

/** Options of the snapshot on disk, from which a server starts while its database is unavailable. */
export const SNAPSHOT_OPTIONS = {
  keepDocuments: {
    env: ['KEEP_DOCUMENTS'],
    parse: flag,
    default: true,
    doc: 'Keep what SDKs are served from on disk, so that a server that starts while its database is away can serve them.',
  },
  keepDocumentsFolder: {
    env: ['KEEP_DOCUMENTS_FOLDER'],
    parse: text,
    defaultDoc:
      'the data directory; with PostgreSQL one of the user that runs it, among the temporary files of the machine',
    doc: 'Folder for it.',
  },
} as const satisfies OptionTable
