import type { Delivery } from '@burgee/protocol/administration/delivery-receipt'

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
