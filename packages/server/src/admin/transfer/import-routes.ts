import { ImportPlan, ImportPlanRequest, ImportRequest, ImportResult } from '@burgee/protocol/administration/import'
import { LONG_BODY } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { AdministeredImports, type ImportWorld } from '../import/administered-import.ts'

const IMPORTS = '/api/admin/imports'
/** Maximum length of a body: a file of 8 MiB, encoded as a string in JSON. */
const MAX_BODY_BYTES = 12 * 1024 * 1024
const common = { method: 'POST', tag: 'Transfer', permission: 'ADMIN', bodyLimitBytes: MAX_BODY_BYTES } as const
const problems = [...LONG_BODY, 'ConflictError', 'InvalidOperationError']
const WHAT =
  'Adds missing objects; existing objects with the same name stay unchanged. The history is not imported, and integrations are imported disabled. The kind `unleash-api` reads from `address`, which must be public unless integrations may call private addresses; the other kinds read the file in `content`.'

/**
 * Creates the routes with which administrators import flags from other services. The routes are not part of the wire
 * protocol.
 */
export function importRoutes(world: ImportWorld): Routes {
  const imports = new AdministeredImports(world)
  return [
    route({
      ...common,
      url: `${IMPORTS}/plan`,
      summary: 'Previews an import from another service; nothing is written.',
      description: WHAT,
      body: ImportPlanRequest,
      replies: { 200: { description: 'The preview', schema: ImportPlan } },
      problems,
      handle: ({ body, access }) => imports.plan(body, access.actor),
    }),
    route({
      ...common,
      url: IMPORTS,
      summary:
        'Runs a previewed import atomically, and compares the result with the configuration that SDKs get from the source.',
      description: WHAT,
      body: ImportRequest,
      replies: { 200: { description: 'The result', schema: ImportResult } },
      problems,
      handle: ({ body, access }) => imports.run(body, access.actor),
    }),
  ]
}
