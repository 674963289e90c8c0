import type { Insights } from '@burgee/protocol/statistics'
import type { Reader } from '../../store/database.ts'
import { flagCounts, loginTimes } from '../../store/projects/statistics.ts'
import { inactiveUsers } from '../access/people/inactive-users.ts'

/** How many people are there and how many of them were seen since a time, and how many flags there are. */
export async function insightsOf(reader: Reader, since: number): Promise<Insights> {
  const total = (await loginTimes(reader)).length
  const inactive = (await inactiveUsers(reader, since)).length
  return {
    users: { total, inactive, active: total - inactive },
    flags: { total: (await flagCounts(reader)).live },
    ...{ userTrends: [], flagTrends: [], projectFlagTrends: [], metricsSummaryTrends: [], environmentTypeTrends: [] },
  }
}
