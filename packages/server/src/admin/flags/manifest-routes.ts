import { Reply, type RouteShape } from '@burgee/kit/http/route'
import {
  CreateManifestFlag,
  Manifest,
  ManifestArchival,
  ManifestChange,
  ManifestError,
  UpdateManifestFlag,
} from '@burgee/protocol/openfeature/manifest'
import Type from 'typebox'
import { type Access, READER } from '../../core/access/access.ts'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { MANIFEST, MANIFEST_TWICE } from '../../core/http/manifest-paths.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readManifest } from './manifest.ts'
import { addToManifest, changeInManifest, type ManifestResult, removeFromManifest } from './manifest-changes.ts'

const CAPABILITIES = 'x-manifest-capabilities'
/** Project in which the manifest API creates flags. */
const DEFAULT_PROJECT = 'default'

/**
 * Routes with which the OpenFeature CLI downloads and uploads its manifest of flags. Source: Manifest Management API
 * v0.
 */
export const manifestRoutes: Routes = [...createRoutes(MANIFEST), ...createRoutes(MANIFEST_TWICE)]

function createRoutes(base: string): Routes {
  const common = { tag: 'OpenFeature', problems: [] }
  const one = { ...common, url: `${base}/flags/:key`, permission: null, params: Type.Object({ key: Type.String() }) }
  return [
    route({
      ...common,
      method: 'GET',
      url: base,
      permission: READER,
      summary: 'Lists flags that the caller may see, with type, default and description.',
      replies: { 200: { description: 'The manifest', schema: Manifest }, ...failures(401, 403) },
      handle: async ({ access }, { db }) => {
        const { projects, hidden, capabilities } = getReadScope(access)
        const flags = await db.view((reader) => readManifest(reader, projects, hidden))
        return Reply.json(200, { flags }, { [CAPABILITIES]: capabilities })
      },
    }),
    route({
      ...common,
      method: 'POST',
      url: `${base}/flags`,
      permission: null,
      summary: 'Adds a flag to the project "default"; it is off in all environments.',
      body: CreateManifestFlag,
      replies: { 201: { description: 'The flag', schema: ManifestChange }, ...failures(400, 401, 403, 404, 409) },
      handle: async ({ access: { actor }, body: flag }, world) =>
        createResultReply(
          201,
          actor,
          await execute(world, actor, addToManifest, { project: DEFAULT_PROJECT, by: actor, flag }),
        ),
    }),
    route({
      ...one,
      method: 'PUT',
      summary: 'Updates description and default of a flag. Omitted fields keep their value; the type cannot change.',
      body: UpdateManifestFlag,
      replies: { 200: { description: 'The flag', schema: ManifestChange }, ...failures(400, 401, 403, 404, 409) },
      handle: async ({ access: { actor }, params, body: flag }, world) =>
        createResultReply(
          200,
          actor,
          await execute(world, actor, changeInManifest, { key: params.key, by: actor, flag }),
        ),
    }),
    route({
      ...one,
      method: 'DELETE',
      summary: 'Archives a flag.',
      replies: { 200: { description: 'Archived', schema: ManifestArchival }, ...failures(401, 403, 404, 409) },
      handle: async ({ access: { actor }, params: { key } }, world) => {
        const archivedAt = await execute(world, actor, removeFromManifest, { key, by: actor })
        const body = { message: `The flag "${key}" is archived.`, archivedAt: new Date(archivedAt).toISOString() }
        return Reply.json(200, body, { [CAPABILITIES]: formatCapabilities(actor) })
      },
    }),
  ]
}

/** Describes the error replies in the format of the manifest API, including errors that every route can return. */
function failures(...statuses: readonly number[]): RouteShape['replies'] {
  const all = [...new Set([...statuses, 400, 413, 415, 429])]
  return Object.fromEntries(all.map((status) => [status, { description: 'Why not', schema: ManifestError }]))
}

function createResultReply(status: number, actor: Actor, { flag, updatedAt }: ManifestResult): Reply {
  const body = { flag, updatedAt: new Date(updatedAt).toISOString() }
  return Reply.json(status, body, { [CAPABILITIES]: formatCapabilities(actor) })
}

interface ManifestReadScope {
  readonly projects: readonly string[]
  readonly hidden?: readonly string[] | undefined
  readonly capabilities: string
}

/**
 * Returns the flags that the caller may read. SDK tokens read the flags of their projects. People and admin tokens read
 * all visible projects, as in the admin API.
 */
function getReadScope(access: Access): ManifestReadScope {
  const { reader } = access
  if ('token' in reader) return { projects: reader.token.projects, capabilities: 'read' }
  return { projects: ['*'], hidden: reader.actor.hidden, capabilities: formatCapabilities(reader.actor) }
}

/** Returns the operations that are allowed for an actor in the project in which the manifest API creates flags. */
function formatCapabilities(actor: Actor): string {
  const place = { project: DEFAULT_PROJECT }
  const writes = hasPermission(actor, 'CREATE_FEATURE', place) && hasPermission(actor, 'UPDATE_FEATURE', place)
  return [
    'read',
    ...(writes ? ['write'] : []),
    ...(hasPermission(actor, 'DELETE_FEATURE', place) ? ['delete'] : []),
  ].join(',')
}
