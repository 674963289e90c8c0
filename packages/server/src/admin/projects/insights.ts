import type { Insights } from '@burgee/protocol/statistics'
import type { Reader } from '@burgee/storage/database'
import { countLiveAndArchivedFlags, listLoginTimes } from '@burgee/storage/queries/projects/statistics'
import { readInactiveUsers } from '../access/people/inactive-users.ts'

/** Counts users, users seen since the given time, and flags. */
export async function readInsights(reader: Reader, since: number): Promise<Insights> {
  const total = (await listLoginTimes(reader)).length
  const inactive = (await readInactiveUsers(reader, since)).length
  return {
    users: { total, inactive, active: total - inactive },
    flags: { total: (await countLiveAndArchivedFlags(reader)).live },
    userTrends: [],
    flagTrends: [],
    projectFlagTrends: [],
    metricsSummaryTrends: [],
    environmentTypeTrends: [],
  }
}
