import type { OptionTable } from '@burgee/kit/options/options'
import { flag, list, text } from '@burgee/kit/options/parsers'

/**
 * Options for the initial content of a new database (except the administrator and tokens), and for settings that are
 * applied at each start.
 */
export const FIRST_CONTENT_OPTIONS = {
  importFile: {
    env: ['IMPORT_FILE'],
    parse: text,
    doc: 'State export (/api/admin/state/export), JSON or YAML, to import into a new database; if it cannot be imported completely, the start fails. Read at the first start only. With `importEnvironment`: an export of the flags of one environment (/api/admin/features-batch/export).',
  },
  importKeepExisting: {
    env: ['IMPORT_KEEP_EXISTING'],
    parse: flag,
    default: false,
    doc: 'With `importFile`: keep existing flags instead of failing.',
  },
  importDropBeforeImport: {
    env: ['IMPORT_DROP_BEFORE_IMPORT'],
    parse: flag,
    default: false,
    doc: 'With `importFile`: first delete the objects that the document replaces, such as the project and environments of a new database.',
  },
  importProject: {
    env: ['IMPORT_PROJECT'],
    parse: text,
    doc: 'With `importEnvironment`: project to import the flags into; `default` if omitted.',
  },
  importEnvironment: {
    env: ['IMPORT_ENVIRONMENT'],
    parse: text,
    doc: 'Environment to import the flags of `importFile` into, which must then be an export of one environment.',
  },
  enabledEnvironments: {
    env: ['ENABLED_ENVIRONMENTS'],
    parse: list,
    doc: 'Environments to enable at each start; all others are disabled. New projects use the enabled ones. Flags do not change.',
  },
} as const satisfies OptionTable
