import { Reply } from '@burgee/kit/http/route'
import {
  ExportSelection,
  FeatureDocument,
  FeatureImport,
  ImportFindings,
} from '@burgee/protocol/administration/feature-transfer'
import { execute } from '../../services/execute.ts'
import { exportFeatures, noteExport } from '../../services/transfer/feature-export.ts'
import { importFeatures } from '../../services/transfer/feature-import.ts'
import { importFindings, importTarget } from '../../services/transfer/import-check.ts'
import { WRITE } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'

const BATCH = '/api/admin/features-batch'
/** A thousand flags with some strategies each are about a megabyte. */
const LONGEST_BYTES = 8 * 1024 * 1024
const common = { method: 'POST', tag: 'Transfer', bodyLimitBytes: LONGEST_BYTES } as const
const problems = [...WRITE, 'PayloadTooLargeError']

/** Flags that leave the server as a document, and come as one. Source: wire protocol */
export const featureTransferRoutes: Routes = [
  route({
    ...common,
    url: `${BATCH}/export`,
    permission: null,
    summary: 'Flags as they are in one environment, with all that they need; the event says which, not what they are.',
    body: ExportSelection,
    replies: { 200: { description: 'The document', schema: FeatureDocument } },
    problems: [...problems, 'NotFoundError'],
    handle: async ({ body: selection, access }, world) => {
      const document = await world.db.scan((reader) => exportFeatures(reader, selection, access.actor.hidden))
      await execute(world, access.actor, noteExport, { selection, count: document.features.length })
      return document
    },
  }),
  route({
    ...common,
    url: `${BATCH}/validate`,
    permission: null,
    summary: 'What an import would mean: what keeps it from being done, what to look at, which rights are missing.',
    body: FeatureImport,
    replies: { 200: { description: 'What it would mean', schema: ImportFindings } },
    problems,
    handle: async ({ body, access }, world) =>
      importFindings(access.actor, body, await world.db.scan((reader) => importTarget(reader, body))),
  }),
  route({
    ...common,
    url: `${BATCH}/import`,
    permission: 'UPDATE_FEATURE',
    summary: 'Makes and changes flags in a project and one environment by a document; all of it, or nothing.',
    body: FeatureImport,
    replies: { 200: { description: 'Done' } },
    problems: [...problems, 'NameExistsError', 'InvalidOperationError'],
    handle: async ({ body: input, access }, world) => {
      await execute(world, access.actor, importFeatures, { actor: access.actor, input })
      return new Reply(200)
    },
  }),
]
