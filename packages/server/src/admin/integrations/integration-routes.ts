import { Reply } from '@burgee/kit/http/route'
import {
  Integration,
  IntegrationEvent,
  IntegrationEvents,
  IntegrationInput,
  Integrations,
} from '@burgee/protocol/administration/integration'
import type { Reader } from '@burgee/storage/database'
import { listIntegrations } from '@burgee/storage/queries/integrations/integrations'
import Type from 'typebox'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { LIST, READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { DONE, parseId } from '../../core/http/route-parts.ts'
import { ifUnchanged } from '../../core/preconditions.ts'
import { readDeliveryLog, readIntegrationStatuses, testIntegration } from './delivery-log.ts'
import { toIntegration } from './integration-view.ts'
import { createIntegration, removeIntegration, replaceIntegration, requireIntegration } from './integrations.ts'
import { PROVIDERS } from './providers.ts'

const ADDONS = '/api/admin/addons'
const one = { url: `${ADDONS}/:id`, tag: 'Integrations', params: Type.Object({ id: Type.String() }) } as const
const CONDITION = 'With `If-Match`, only while the integration is as the ETag of the reply to GET says.'
const MASKS = 'Secrets are masked in every response; sending a mask back keeps the stored secret.'

const parseIntegrationId = (text: string) => parseId(text, 'integration')
const toInputContext = (actor: Actor, { options }: HttpWorld) => ({
  allowPrivate: options.integrationAllowPrivateAddresses,
  hidden: actor.hidden,
  isAdmin: hasPermission(actor, 'ADMIN'),
})

/**
 * Returns a function that reads the integration in the form of a GET reply to this actor. `If-Match` is compared with
 * the ETag of this form.
 */
const createViewFor =
  ({ hidden }: Actor) =>
  async (reader: Reader, { id }: { readonly id: number }) =>
    toIntegration(await requireIntegration(reader, id), hidden)

/**
 * Routes for integrations, which notify other services of events. Source: wire protocol, except the route that sends a
 * test event.
 */
export const integrationRoutes: Routes = [
  route({
    method: 'GET',
    url: ADDONS,
    permission: null,
    tag: 'Integrations',
    summary: 'Lists integrations with the status of their deliveries, and the available kinds.',
    replies: { 200: { description: 'Integrations', schema: Integrations } },
    problems: LIST,
    handle: ({ access: { actor } }, world) =>
      world.db.view(async (reader) => {
        const rows = await listIntegrations(reader)
        const ids = rows.map(({ id }) => id)
        return {
          addons: rows.map((row) => toIntegration(row, actor.hidden)),
          providers: PROVIDERS,
          standings: await readIntegrationStatuses(reader, ids),
        }
      }),
  }),
  route({
    method: 'POST',
    url: ADDONS,
    permission: 'CREATE_ADDON',
    tag: 'Integrations',
    summary: 'Creates an integration, which receives events from then on.',
    description: MASKS,
    body: IntegrationInput,
    replies: { 201: { description: 'The integration', schema: Integration } },
    problems: [...LIST, 'ValidationError', 'NoAccessError', 'ConflictError', 'ContentTypeerror'],
    handle: async ({ body, access }, world) => {
      const wanted = { body, ...toInputContext(access.actor, world) }
      return Reply.json(201, toIntegration(await execute(world, access.actor, createIntegration, wanted)))
    },
  }),
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'Returns an integration.',
    replies: { 200: { description: 'The integration', schema: Integration } },
    problems: READ,
    handle: ({ params, access }, world) =>
      createViewFor(access.actor)(world.db.reader, { id: parseIntegrationId(params.id) }),
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_ADDON',
    summary: 'Replaces an integration; no-op if it is unchanged.',
    description: `${MASKS} Omitted description, projects and environments keep their value. ${CONDITION}`,
    body: IntegrationInput,
    replies: { 200: { description: 'The integration', schema: Integration } },
    problems: [...WRITE, 'ConflictError', 'PreconditionFailedError'],
    handle: async ({ params, body, access, caller }, world) => {
      const wanted = { id: parseIntegrationId(params.id), body, ...toInputContext(access.actor, world) }
      const change = ifUnchanged(caller.headers['if-match'], createViewFor(access.actor), replaceIntegration)
      return toIntegration(await execute(world, access.actor, change, wanted))
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_ADDON',
    summary: 'Deletes an integration with its pending deliveries.',
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeIntegration, {
        id: parseIntegrationId(params.id),
        hidden: access.actor.hidden,
      })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'GET',
    url: `${ADDONS}/:id/events`,
    permission: null,
    summary: 'Lists the last hundred delivery attempts with their results, newest first.',
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
      offset: Type.Integer({ minimum: 0, maximum: 100, default: 0 }),
    }),
    replies: { 200: { description: 'Tries', schema: IntegrationEvents } },
    problems: [...READ, 'ValidationError'],
    handle: async ({ params, query, access: { actor } }, world) => ({
      integrationEvents: await world.db.view((reader) =>
        readDeliveryLog(reader, parseIntegrationId(params.id), { ...query, actor }),
      ),
    }),
  }),
  route({
    ...one,
    method: 'POST',
    url: `${ADDONS}/:id/test`,
    permission: 'UPDATE_ADDON',
    summary: 'Sends a test event at once, without retries, and returns the result.',
    replies: { 200: { description: 'Result of the delivery', schema: IntegrationEvent } },
    problems: [...REMOVE, 'ContentTypeerror'],
    handle: ({ params, access }, world) => testIntegration(world, access.actor, parseIntegrationId(params.id)),
  }),
]
