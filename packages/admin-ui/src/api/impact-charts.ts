import type { ImpactChart, ImpactChartInput, ImpactChartList } from '@burgee/protocol/administration/impact-chart'
import type { FlagRef } from './flags.ts'
import { buildPath, call } from './http.ts'

const getPath = (flag: FlagRef | undefined): string =>
  flag === undefined
    ? '/api/admin/impact-metrics/config'
    : `/api/admin/projects${buildPath(flag.project)}/features${buildPath(flag.feature)}/impact-metrics/config`

/** Returns the query for the saved charts of a flag or, without a flag, for shared charts. */
export const getChartsQuery = (flag: FlagRef | undefined) => ({
  queryKey: ['impact-charts', flag?.feature ?? null],
  queryFn: async () => (await call<ImpactChartList>('GET', getPath(flag))).configs,
})

/** Saves a chart of a flag or, without a flag, a shared chart. */
export const saveChart = (flag: FlagRef | undefined, body: ImpactChartInput) =>
  call<ImpactChart>('POST', getPath(flag), body)

/** Deletes a saved chart. */
export const removeChart = (flag: FlagRef | undefined, id: string) =>
  call<void>('DELETE', `${getPath(flag)}${buildPath(id)}`)
