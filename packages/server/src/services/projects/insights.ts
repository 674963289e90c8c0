import type { Insights } from '@burgee/protocol/statistics'
import type { Reader } from '../../store/database.ts'
import { flagCounts, loginTimes } from '../../store/projects/statistics.ts'
import { inactiveUsers } from '../access/people/inactive-users.ts'

/** Counts users, users seen since the given time, and flags. */
export async function insightsOf(reader: Reader, since: number): Promise<Insights> {
  const total = (await loginTimes(reader)).length
  const inactive = (await inactiveUsers(reader, since)).length
  return {
    users: { total, inactive, active: total - inactive },
    flags: { total: (await flagCounts(reader)).live },
    ...{ userTrends: [], flagTrends: [], projectFlagTrends: [], metricsSummaryTrends: [], environmentTypeTrends: [] },
  }
}
