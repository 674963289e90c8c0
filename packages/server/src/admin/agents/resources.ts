import { Problem } from '@burgee/protocol/problem'
import { classifyDbError } from '@burgee/storage/errors'
import { BY_NAME } from '../catalog/flag-table.ts'
import { RPC_CODES, RpcError } from './rpc/rpc-messages.ts'
import { readFlag, resolveFlag } from './tools/flag-lookup.ts'
import type { ToolContext } from './tools/tool.ts'

const MIME_TYPE = 'application/json'
const PAGE_SIZE = 100

/** URI templates of the flag resources. */
export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'burgee://projects/{projectId}/flags/{featureName}',
    name: 'flag',
    title: 'Flag',
    description: 'A flag with its environments and strategies.',
    mimeType: MIME_TYPE,
  },
] as const

function toUri(project: string, feature: string): string {
  return `burgee://projects/${encodeURIComponent(project)}/flags/${encodeURIComponent(feature)}`
}

/** Returns a page of flags as resources. The cursor is the name of the last flag of the previous page. */
export async function listFlagResources(cursor: unknown, { world, caller }: ToolContext): Promise<object> {
  if (cursor !== undefined && typeof cursor !== 'string') {
    throw new RpcError(RPC_CODES.invalidParams, '"cursor" must be a string')
  }
  const { table } = await world.catalog.flags()
  const visible = table
    .sorted(false, 'name asc', BY_NAME)
    .filter(({ row }) => !caller.actor.hidden.includes(row.project))
  const start = cursor === undefined ? 0 : visible.findIndex(({ name }) => name === cursor) + 1
  if (cursor !== undefined && start === 0) throw new RpcError(RPC_CODES.invalidParams, '"cursor" is not valid')
  const page = visible.slice(start, start + PAGE_SIZE)
  const last = page.at(-1)
  const resources = page.map(({ name, row }) => ({ uri: toUri(row.project, name), name, mimeType: MIME_TYPE }))
  const isMore = last !== undefined && start + PAGE_SIZE < visible.length
  return { resources, ...(isMore ? { nextCursor: last.name } : {}) }
}

const URI = /^burgee:\/\/projects\/([^/]+)\/flags\/([^/]+)$/

/** Returns the flag that a resource URI names. Throws RpcError if that flag does not exist. */
export async function readFlagResource(uri: unknown, context: ToolContext): Promise<object> {
  const [project, feature] = parseUri(uri)
  try {
    const flag = await readFlag(context, await resolveFlag(context, { projectId: project, featureName: feature }))
    return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(flag) }] }
  } catch (error) {
    if (error instanceof Problem) throw new RpcError(RPC_CODES.notFound, error.message, { data: { uri } })
    if (classifyDbError(error) === 'unstorable') throw new RpcError(RPC_CODES.notFound, 'There is no such flag')
    throw error
  }
}

function parseUri(uri: unknown): readonly [string, string] {
  const [, project, feature] = (typeof uri === 'string' ? URI.exec(uri) : null) ?? []
  if (project === undefined || feature === undefined) throw createUnknownUri()
  try {
    return [decodeURIComponent(project), decodeURIComponent(feature)]
  } catch {
    throw createUnknownUri()
  }
}

function createUnknownUri(): RpcError {
  return new RpcError(RPC_CODES.notFound, '"uri" must look like burgee://projects/{projectId}/flags/{featureName}')
}
