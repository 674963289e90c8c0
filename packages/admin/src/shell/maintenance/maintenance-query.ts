import { isInMaintenance } from '../../api/instance.ts'

const MINUTE_MS = 60_000

/** Whether administration changes nothing for now; asked anew now and then, as not everybody hears of settings. */
export const MAINTENANCE = {
  queryKey: ['maintenance'],
  queryFn: isInMaintenance,
  staleTime: MINUTE_MS,
  refetchInterval: MINUTE_MS,
} as const
