import type { Delivery } from '@burgee/protocol/administration/delivery-receipt'
import type { FlagEnvironment } from '../api/flags.ts'
import { fetchDelivery } from '../api/fleet.ts'
import { isComplete } from './delivery-coverage.ts'

/**
 * Refetch interval while the change has not taken effect everywhere; needed because no event is sent when a process
 * becomes silent.
 */
const INCOMPLETE_REFETCH_MS = 5000
const COMPLETE_REFETCH_MS = 30_000

/** Query for the delivery receipt of the latest change to a flag in an environment. */
export const createDeliveryQuery = (place: FlagEnvironment) => ({
  queryKey: ['delivery', place.project, place.feature, place.environment] as const,
  queryFn: () => fetchDelivery(place),
  refetchInterval: ({ state: { data } }: { readonly state: { readonly data: Delivery | undefined } }) =>
    data !== undefined && isComplete(data) ? COMPLETE_REFETCH_MS : INCOMPLETE_REFETCH_MS,
})
