import { Reply } from '@burgee/kit/http/route'
import { isYes, StateDocument, StateExportQuery, StateImportQuery } from '@burgee/protocol/administration/state'
import { execute } from '../../core/execute.ts'
import { GUARDED_SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DOCUMENT_FORMS } from './document-forms.ts'
import { formatWarnings } from './import-warnings.ts'
import { MAX_DOCUMENT_BYTES } from './state-document.ts'
import { exportState } from './state-export.ts'
import { importState } from './state-import.ts'
import { writeState } from './state-text.ts'
import { findStateWarnings } from './state-warnings.ts'

const STATE = '/api/admin/state'
const common = { tag: 'Transfer', permission: 'ADMIN' } as const

/**
 * Routes that export and import a whole instance as a document. The wire protocol marks the routes as deprecated.
 * Source: wire protocol
 */
export const stateRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: `${STATE}/export`,
    summary: 'Exports unarchived flags of all projects and their dependencies, as JSON or YAML.',
    query: StateExportQuery,
    replies: { 200: { description: 'The document', schema: StateDocument, textType: 'text/yaml' } },
    problems: GUARDED_SEARCH,
    handle: async ({ query }, world) => {
      const { format = 'json', download = 'false' } = query
      const isYaml = format === 'yaml'
      const content = await world.db.scan((reader) => writeState(exportState(reader, query), isYaml ? 'yaml' : 'json'))
      const name = `export-${new Date(world.clock()).toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-')}`
      return new Reply(200, content, {
        'content-type': isYaml ? 'text/yaml; charset=utf-8' : 'application/json; charset=utf-8',
        ...(isYes(download) && { 'content-disposition': `attachment; filename="${name}.${isYaml ? 'yml' : 'json'}"` }),
      })
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: `${STATE}/import`,
    summary: 'Atomically imports the objects of a document that do not exist yet.',
    description:
      'The body is the document as JSON or YAML, or a form with the document as `file`. Existing objects stay; with `keep=false`, an existing flag is a 409. `drop=true` first removes the objects that the document replaces. Flags that are on without an enabled strategy get the strategy `default`, because SDKs evaluate them as on for everyone; `closeUnguarded=true` turns them off instead. The response lists them in the lines after `Accepted`.',
    query: StateImportQuery,
    body: StateDocument,
    bodyForms: DOCUMENT_FORMS,
    bodyLimitBytes: MAX_DOCUMENT_BYTES,
    replies: { 202: { description: 'Done', contentType: 'text/plain' } },
    problems: [...WRITE, 'NameExistsError', 'ConflictError', 'InvalidOperationError', 'PayloadTooLargeError'],
    handle: async ({ query, body: document, access }, world) => {
      const { drop = 'false', keep = 'true', closeUnguarded = 'false' } = query
      const order = { document, drop: isYes(drop), keep: isYes(keep), closeUnguarded: isYes(closeUnguarded) }
      const done = await execute(world, access.actor, importState, order)
      const warnings = [...done.warnings, ...(await findStateWarnings(document, done.imported))]
      for (const line of formatWarnings(warnings)) world.logger.warn(`State import: ${line}`)
      return new Reply(202, ['Accepted', ...formatWarnings(warnings, Number.POSITIVE_INFINITY)].join('\n'), {
        'content-type': 'text/plain; charset=utf-8',
      })
    },
  }),
]
