import type { OptionTable } from '@burgee/kit/options/options'
import { flag, list, text } from '@burgee/kit/options/parsers'

/**
 * Options for the initial content of a new database, except administrator and tokens, and for settings that are applied
 * at each start.
 */
export const FIRST_CONTENT_OPTIONS = {
  importFile: {
    env: ['IMPORT_FILE'],
    parse: text,
    doc: 'Document of an installation (/api/admin/state/export), JSON or YAML, that a new database begins with; all of it, or no start. Read at the first start only. With `importEnvironment`: an export of the flags of one environment (/api/admin/features-batch/export).',
  },
  importKeepExisting: {
    env: ['IMPORT_KEEP_EXISTING'],
    parse: flag,
    default: false,
    doc: 'With `importFile`: a flag that is there already stays, instead of ending the start.',
  },
  importDropBeforeImport: {
    env: ['IMPORT_DROP_BEFORE_IMPORT'],
    parse: flag,
    default: false,
    doc: 'With `importFile`: what the document replaces goes first, such as the project and environments of a new database.',
  },
  importProject: {
    env: ['IMPORT_PROJECT'],
    parse: text,
    doc: 'With `importEnvironment`: project that the flags of the export come into; `default` if omitted.',
  },
  importEnvironment: {
    env: ['IMPORT_ENVIRONMENT'],
    parse: text,
    doc: 'Environment that the flags of `importFile` come into, which is an export of one environment then.',
  },
  enabledEnvironments: {
    env: ['ENABLED_ENVIRONMENTS'],
    parse: list,
    doc: 'Environments that each start turns on, and all others off: what new projects use. Flags stay as they are.',
  },
} as const satisfies OptionTable
