import { fetchIsInMaintenance } from '../../api/instance.ts'

const MINUTE_MS = 60_000

/** Query for maintenance mode. The query polls, because not all users receive events about settings. */
export const MAINTENANCE = {
  queryKey: ['maintenance'],
  queryFn: fetchIsInMaintenance,
  staleTime: MINUTE_MS,
  refetchInterval: MINUTE_MS,
} as const
