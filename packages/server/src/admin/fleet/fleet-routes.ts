import { notFound } from '@burgee/kit/input/refusals'
import { Delivery, DeliveryQuery, Fleet } from '@burgee/protocol/administration/delivery-receipt'
import { LIST, READ } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { createFlagNotFound } from '../flags/feature-ref.ts'
import { ENVIRONMENT, EnvironmentParams, toEnvironmentRef } from '../flags/feature-routes.ts'
import { readDelivery } from './delivery-view.ts'
import { readFleet } from './fleet-view.ts'

/**
 * Routes that show where a change has taken effect, and which client processes exist. These routes are not part of the
 * wire protocol.
 */
export const fleetRoutes: Routes = [
  route({
    method: 'GET',
    url: `${ENVIRONMENT}/delivery`,
    permission: null,
    tag: 'Features',
    summary: 'Returns which processes, edges and pages have received a change of a flag.',
    description:
      'By default, the last change of the flag in the environment. Counts only connections whose tokens receive the ' +
      'flag. The admin event stream sends the message `delivery` when a receipt may have changed.',
    params: EnvironmentParams,
    query: DeliveryQuery,
    replies: { 200: { description: 'The receipt', schema: Delivery } },
    problems: [...READ, 'ValidationError'],
    handle: async ({ params, query, access: { actor } }, world) => {
      const ref = toEnvironmentRef(params)
      if (actor.hidden.includes(ref.project)) throw createFlagNotFound(ref)
      const receipt = await readDelivery(world, ref, query.event)
      if (receipt !== undefined) return receipt
      throw notFound(`Event ${query.event} did not change the flag "${ref.feature}" in "${ref.environment}".`)
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/fleet',
    permission: null,
    tag: 'Usage',
    summary: 'Lists server nodes, edges, proxies and applications with the revision of flags that they have.',
    replies: { 200: { description: 'The fleet', schema: Fleet } },
    problems: LIST,
    handle: ({ access: { actor } }, world) => readFleet(world, actor.hidden),
  }),
]
