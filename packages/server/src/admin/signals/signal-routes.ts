import { Reply } from '@burgee/kit/http/route'
import {
  CreatedSignalEndpoint,
  Signal,
  SignalEndpoint,
  SignalEndpointInput,
} from '@burgee/protocol/administration/signal-endpoint'
import { listSignalEndpoints } from '@burgee/storage/queries/signals/signal-endpoints'
import Type from 'typebox'
import { SIGNAL } from '../../core/access/access.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readSignal } from './read-signal.ts'
import { createSignalEndpoint, receiveAlerts, removeSignalEndpoint, toEndpointView } from './signal-endpoints.ts'

const ENDPOINTS = '/api/admin/signal-endpoints'
const common = { permission: 'ADMIN', tag: 'Signals' } as const
const params = Type.Object({ name: Type.String({ maxLength: 100 }) })
/** Maximum size of a signal. */
const MAX_SIGNAL_BYTES = 256 * 1024

/**
 * Routes that receive alerts from other systems. Source: wire protocol "Guarded releases", section on incoming alerts
 */
export const signalRoutes: Routes = [
  route({
    method: 'POST',
    url: '/api/signal-endpoint/:name',
    permission: SIGNAL,
    tag: 'Signals',
    summary: 'Accepts alerts, which trip the safeguards that watch the endpoint. Requires the token of the endpoint.',
    description:
      'Accepts the webhook of Prometheus Alertmanager, or `{"rule": "HighErrorRate", "message": "…"}`. The labels ' +
      '`burgee_flag` and `burgee_environment`, or `flag` and `environment`, restrict an alert to their safeguards.',
    params,
    first: (caller, { limits }) => limits.signal(caller),
    body: Signal,
    bodyLimitBytes: MAX_SIGNAL_BYTES,
    replies: { 202: { description: 'Accepted' } },
    problems: ['ValidationError', 'ContentTypeerror', 'PayloadTooLargeError', 'RateLimitError'],
    handle: async ({ params: { name }, body }, world) => {
      await receiveAlerts(world, name, readSignal(body))
      return new Reply(202)
    },
  }),
  route({
    ...common,
    method: 'GET',
    url: ENDPOINTS,
    summary: 'Lists signal endpoints.',
    replies: { 200: { description: 'Endpoints without tokens', schema: Type.Array(SignalEndpoint) } },
    problems: GUARDED_LIST,
    handle: async (_input, { db }) => (await listSignalEndpoints(db.reader)).map(toEndpointView),
  }),
  route({
    ...common,
    method: 'POST',
    url: ENDPOINTS,
    summary: 'Creates a signal endpoint; only this response contains its token.',
    body: SignalEndpointInput,
    replies: { 201: { description: 'The endpoint and its token', schema: CreatedSignalEndpoint } },
    problems: [...WRITE, 'NameExistsError', 'InvalidOperationError'],
    handle: async ({ body, access }, world) => {
      const { row, token } = await execute(world, access.actor, createSignalEndpoint, body)
      return Reply.json(201, { ...toEndpointView(row), token })
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    url: `${ENDPOINTS}/:name`,
    params,
    summary: 'Deletes a signal endpoint; its token is rejected at once.',
    replies: { 204: { description: 'Deleted' } },
    problems: REMOVE,
    handle: async ({ params: { name }, access }, world) => {
      await execute(world, access.actor, removeSignalEndpoint, { name })
      return new Reply(204)
    },
  }),
]
