import { Reply } from '@burgee/kit/http/route'
import {
  ExportSelection,
  FeatureDocument,
  FeatureImport,
  ImportFindings,
  ImportWarnings,
} from '@burgee/protocol/administration/feature-transfer'
import type { Reader } from '@burgee/storage/database'
import type { Actor } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ifUnchanged } from '../../core/preconditions.ts'
import { exportFeatures, recordExport } from './feature-export.ts'
import { importFeatures } from './feature-import.ts'
import { readImportTarget } from './feature-import-target.ts'
import { getImportFindings } from './import-check.ts'
import { formatWarnings } from './import-warnings.ts'

const BATCH = '/api/admin/features-batch'
/** Maximum length of an import document. A thousand flags with a few strategies each take about a megabyte. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
const common = { method: 'POST', tag: 'Transfer', bodyLimitBytes: MAX_BODY_BYTES } as const
const problems = [...WRITE, 'PayloadTooLargeError']

/** Returns the result of checking an import document. `If-Match` is compared with the ETag of this result. */
const createFindingsReader =
  (actor: Actor) =>
  async (reader: Reader, { input }: { readonly input: FeatureImport }) =>
    getImportFindings(actor, input, await readImportTarget(reader, input, actor))

/** Routes that export flags to a document, and routes that import such documents. Source: wire protocol */
export const featureTransferRoutes: Routes = [
  route({
    ...common,
    url: `${BATCH}/export`,
    permission: null,
    summary: 'Exports flags of one environment with their dependencies; the event names the flags, not their contents.',
    description:
      'The document contains the names of segments; with `segmentDefinitions: true` also their definitions, which an Unleash server rejects.',
    body: ExportSelection,
    replies: { 200: { description: 'The document', schema: FeatureDocument } },
    problems: [...problems, 'NotFoundError'],
    handle: async ({ body: selection, access }, world) => {
      const document = await world.db.scan((reader) => exportFeatures(reader, selection, access.actor.hidden))
      const exported = document.features.map(({ name }) => name)
      await execute(world, access.actor, recordExport, { selection, exported })
      return document
    },
  }),
  route({
    ...common,
    url: `${BATCH}/validate`,
    permission: null,
    summary: 'Validates an import: returns errors, warnings and missing permissions.',
    description:
      '`segments` lists the segments to review: missing here, with other constraints here than in the document, or without ' +
      'constraints here. With `createMissingSegments`, missing segments that the document defines are no error.',
    body: FeatureImport,
    replies: { 200: { description: 'Errors, warnings and missing permissions', schema: ImportFindings } },
    problems,
    handle: ({ body: input, access }, world) =>
      world.db.scan((reader) => createFindingsReader(access.actor)(reader, { input })),
  }),
  route({
    ...common,
    url: `${BATCH}/import`,
    permission: 'UPDATE_FEATURE',
    summary: 'Imports flags into a project and one environment atomically.',
    description:
      'Honors `If-Match`: 412 if the effects differ from those in the response of `validate` with this ETag: which flags are ' +
      'replaced, created or skipped, which objects are missing, how segments differ, and whether change requests are required. ' +
      'With `createMissingSegments`, missing segments are created from the document (requires CREATE_SEGMENT, or ' +
      'UPDATE_PROJECT_SEGMENT for segments of a project). With `useExistingSegments`, segments with other constraints here are ' +
      'used unchanged. Flags that are on without an enabled strategy get the strategy `default`, because SDKs evaluate them ' +
      'as on for everyone; `closeUnguarded` turns them off instead.',
    body: FeatureImport,
    replies: { 200: { description: 'Warnings about the import', schema: ImportWarnings } },
    problems: [...problems, 'NameExistsError', 'InvalidOperationError', 'PreconditionFailedError'],
    handle: async ({ body: input, access: { actor }, caller }, world) => {
      const change = ifUnchanged(caller.headers['if-match'], createFindingsReader(actor), importFeatures)
      const { warnings } = await execute(world, actor, change, { actor, input })
      if (warnings.length === 0) return new Reply(200)
      for (const line of formatWarnings(warnings)) world.logger.warn(`Import of flags: ${line}`)
      return { warnings }
    },
  }),
]
