import { type Caller, Reply } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import {
  SCIM_TYPE,
  ScimError,
  ScimGroupInput,
  ScimList,
  ScimPatch,
  ScimQuery,
  ScimResource,
  ScimUserInput,
} from '@burgee/protocol/administration/scim'
import type { Reader } from '@burgee/storage/database'
import Type, { type Static, type TSchema } from 'typebox'
import { SCIM } from '../../core/access/access.ts'
import type { SystemActor } from '../../core/access/rights/rights.ts'
import { type Change, execute } from '../../core/execute.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { SYSTEM } from '../../core/world.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts'
import { toScimList } from './pages.ts'
import {
  createScimGroup,
  listScimGroups,
  patchScimGroup,
  readScimGroup,
  removeScimGroup,
  replaceScimGroup,
} from './scim-groups.ts'
import {
  createScimUser,
  listScimUsers,
  patchScimUser,
  readScimUser,
  removeScimUser,
  replaceScimUser,
} from './scim-users.ts'

const BASE = '/scim/v2'
const BODY_LIMIT_BYTES = 1_000_000
const common = { permission: SCIM, tag: 'SCIM', problems: [] } as const
const Params = Type.Object({ id: Type.String({ maxLength: 200 }) })
const failure = (description: string) => ({ description, schema: ScimError, contentType: SCIM_TYPE })
const REFUSED = { 401: failure('The token is missing or invalid, or SCIM is disabled') }
const WRONG = { ...REFUSED, 400: failure('The request cannot be executed; `scimType` gives the reason') }
const NAME_TAKEN = { 409: failure('The name is taken, or no administrator would be left') }
const GONE = { 404: failure('There is no resource with this id') }
const describeReply = (description: string, schema: TSchema) => ({ description, schema, contentType: SCIM_TYPE })

const scimReply = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Reply(status, JSON.stringify(value), { 'content-type': `${SCIM_TYPE}; charset=utf-8`, ...headers })

/** Returns the author that is recorded for changes by the SCIM client. */
const createAuthor = ({ callers }: HttpWorld, caller: Caller, via: { method: string; route: string }): SystemActor => ({
  ...SYSTEM,
  name: 'scim',
  address: callers.getAddress(caller),
  via,
})

/** Operations that SCIM offers on one resource type: users or groups. */
interface ResourceKind<S extends Inputs> {
  readonly name: 'User' | 'Group'
  readonly words: string
  readonly input: S
  readonly list: (reader: Reader, query: ScimQuery, base: string) => Promise<ScimList>
  readonly show: (reader: Reader, id: string, query: ScimQuery, base: string) => Promise<Record<string, unknown>>
  readonly create: Change<Static<S>, Identified>
  readonly replace: Change<{ id: string; body: Static<S> }, Identified>
  readonly patch: Change<{ id: string; body: ScimPatch }, Identified>
  readonly remove: Change<{ id: string }, void>
}
type Identified = { readonly id: number; readonly scim_id: string | null }

const users: ResourceKind<typeof ScimUserInput> = {
  name: 'User',
  words: 'people',
  input: ScimUserInput,
  list: listScimUsers,
  show: readScimUser,
  create: createScimUser,
  replace: replaceScimUser,
  patch: patchScimUser,
  remove: removeScimUser,
}
const groups: ResourceKind<typeof ScimGroupInput> = {
  name: 'Group',
  words: 'groups',
  input: ScimGroupInput,
  list: listScimGroups,
  show: readScimGroup,
  create: createScimGroup,
  replace: replaceScimGroup,
  patch: patchScimGroup,
  remove: removeScimGroup,
}

type Inputs = typeof ScimUserInput | typeof ScimGroupInput

function buildRoutes<S extends Inputs>(kind: ResourceKind<S>): Routes {
  return [...readRoutes(kind), createRoute(kind), ...updateRoutes(kind)]
}

const getUrl = ({ name }: Pick<ResourceKind<Inputs>, 'name'>) => `${BASE}/${name}s`
const toItemRoute = (kind: Pick<ResourceKind<Inputs>, 'name'>) =>
  ({ ...common, url: `${getUrl(kind)}/:id`, params: Params }) as const
const RESOURCE = { 200: describeReply('The resource', ScimResource) }

/** Returns the current user or group as a SCIM resource. */
function showResource({ show }: Pick<ResourceKind<Inputs>, 'show'>, world: HttpWorld, row: Identified) {
  const id = row.scim_id ?? String(row.id)
  return world.db.view((reader) => show(reader, id, {}, publicUrl(world.options)))
}

function readRoutes<S extends Inputs>(kind: ResourceKind<S>): Routes {
  return [
    route({
      ...common,
      method: 'GET',
      url: getUrl(kind),
      query: ScimQuery,
      summary: `Lists ${kind.words}, including those that no directory created.`,
      replies: { 200: describeReply('A page of the list', ScimList), ...WRONG },
      handle: async ({ query }, world) =>
        scimReply(200, await world.db.view((reader) => kind.list(reader, query, publicUrl(world.options)))),
    }),
    route({
      ...toItemRoute(kind),
      method: 'GET',
      query: ScimQuery,
      summary: `Returns one of the ${kind.words}.`,
      replies: { ...RESOURCE, ...REFUSED, ...GONE },
      handle: async ({ params: { id }, query }, world) =>
        scimReply(200, await world.db.view((reader) => kind.show(reader, id, query, publicUrl(world.options)))),
    }),
  ]
}

function createRoute<S extends Inputs>(kind: ResourceKind<S>): Routes[number] {
  const url = getUrl(kind)
  return route({
    ...common,
    method: 'POST',
    url,
    body: kind.input,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: `Creates one of the ${kind.words}.`,
    replies: { 201: describeReply('The resource', ScimResource), ...WRONG, ...NAME_TAKEN },
    handle: async ({ body, caller }, world) => {
      const author = createAuthor(world, caller, { method: 'POST', route: url })
      const made = await showResource(kind, world, await execute(world, author, kind.create, body as Static<S>))
      return scimReply(201, made, { location: String((made.meta as { location: string }).location) })
    },
  })
}

function updateRoutes<S extends Inputs>(kind: ResourceKind<S>): Routes {
  const one = toItemRoute(kind)
  const replies = { ...RESOURCE, ...WRONG, ...GONE, ...NAME_TAKEN }
  const author = (world: HttpWorld, caller: Caller) =>
    createAuthor(world, caller, { method: caller.method, route: one.url })
  return [
    route({
      ...one,
      method: 'PUT',
      body: kind.input,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      replies,
      summary: 'Replaces the resource. Omitted attributes keep their value.',
      handle: async ({ params: { id }, body, caller }, world) => {
        const input = { id, body: body as Static<S> }
        return scimReply(
          200,
          await showResource(kind, world, await execute(world, author(world, caller), kind.replace, input)),
        )
      },
    }),
    route({
      ...one,
      method: 'PATCH',
      body: ScimPatch,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      replies,
      summary: 'Updates the resource by a list of operations atomically.',
      handle: async ({ params: { id }, body, caller }, world) =>
        scimReply(
          200,
          await showResource(kind, world, await execute(world, author(world, caller), kind.patch, { id, body })),
        ),
    }),
    route({
      ...one,
      method: 'DELETE',
      summary: 'Removes it.',
      replies: { 204: { description: 'Removed' }, ...REFUSED, ...GONE, ...NAME_TAKEN },
      handle: async ({ params, caller }, world) => {
        await execute(world, author(world, caller), kind.remove, params)
        return new Reply(204)
      },
    }),
  ]
}

function discoveryRoutes(): Routes {
  const all = { ResourceTypes: resourceTypes, Schemas: schemas } as const
  const described = {
    200: describeReply('Supported features', Type.Object({}, { additionalProperties: true })),
    ...REFUSED,
  }
  const lists = Object.entries(all).flatMap(([name, read]) => [
    route({
      ...common,
      method: 'GET',
      url: `${BASE}/${name}`,
      summary: 'Lists the supported schemas or resource types.',
      replies: { 200: describeReply('The complete list', ScimList), ...REFUSED },
      handle: (_input, world) => {
        const items = read(publicUrl(world.options))
        return scimReply(200, toScimList(items, items.length, {}))
      },
    }),
    route({
      ...common,
      method: 'GET',
      url: `${BASE}/${name}/:id`,
      params: Params,
      summary: 'Returns a schema or resource type.',
      replies: { ...described, ...GONE },
      handle: ({ params: { id } }, world) => {
        const found = read(publicUrl(world.options)).find((item) => item.id === id)
        if (found === undefined) throw notFound(`There is no schema or resource type with the id ${id}.`)
        return scimReply(200, found)
      },
    }),
  ])
  return [
    route({
      ...common,
      method: 'GET',
      url: `${BASE}/ServiceProviderConfig`,
      summary: 'Returns the supported SCIM features.',
      replies: described,
      handle: (_input, world) => scimReply(200, serviceProviderConfig(publicUrl(world.options))),
    }),
    ...lists,
  ]
}

/** SCIM routes for users and groups. Source: RFC 7643, RFC 7644 */
export const scimRoutes: Routes = [...buildRoutes(users), ...buildRoutes(groups), ...discoveryRoutes()]
