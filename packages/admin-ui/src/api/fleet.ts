import type { Delivery, Fleet } from '@burgee/protocol/administration/delivery-receipt'
import type { FlagEnvironment } from './flags.ts'
import { buildPath, call } from './http.ts'

/** Fetches the delivery receipt for the latest change to a flag in an environment. */
export const fetchDelivery = ({ project, feature, environment }: FlagEnvironment) =>
  call<Delivery>(
    'GET',
    buildPath('api', 'admin', 'projects', project, 'features', feature, 'environments', environment, 'delivery'),
  )

/** Fetches server nodes, edges, proxies and applications, with the revision that each of them has. */
export const fetchFleet = () => call<Fleet>('GET', '/api/admin/fleet')
