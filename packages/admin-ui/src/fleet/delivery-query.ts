import type { Delivery } from '@burgee/protocol/administration/delivery-receipt'
import type { FlagEnvironment } from '../api/flags.ts'
import { fetchDelivery } from '../api/fleet.ts'

/**
 * Refetch interval while the change has not taken effect everywhere; needed because no event is sent when a process
 * becomes silent.
 */
const INCOMPLETE_REFETCH_MS = 5000
const COMPLETE_REFETCH_MS = 30_000

/**
 * Number of processes that receive a flag, and how many of them have the latest change of the flag. Counts edges if no
 * process receives the flag.
 */
export interface Coverage {
  readonly areEdges: boolean
  readonly known: number
  readonly held: number
  readonly isSilent: boolean
}

/** Query for the delivery receipt of the latest change to a flag in an environment. */
export const createDeliveryQuery = (place: FlagEnvironment) => ({
  queryKey: ['delivery', place.project, place.feature, place.environment] as const,
  queryFn: () => fetchDelivery(place),
  refetchInterval: ({ state: { data } }: { readonly state: { readonly data: Delivery | undefined } }) =>
    data !== undefined && isComplete(data) ? COMPLETE_REFETCH_MS : INCOMPLETE_REFETCH_MS,
})

/** Returns how many processes and edges have the change, according to a delivery receipt. */
export function getCoverage({ processes, edges }: Delivery): Coverage {
  const areEdges = processes.known === 0
  return {
    areEdges,
    known: areEdges ? edges.length : processes.known,
    held: areEdges ? edges.filter(({ isHeld }) => isHeld).length : processes.held,
    isSilent: processes.waiting.some(({ isSilent }) => isSilent) || edges.some((edge) => edge.isSilent && !edge.isHeld),
  }
}

/** Returns true if every process and edge has the change and the receipt is complete. */
export function isComplete({ processes, edges, isIncomplete }: Delivery): boolean {
  return !isIncomplete && processes.held >= processes.known && edges.every(({ isHeld }) => isHeld)
}
