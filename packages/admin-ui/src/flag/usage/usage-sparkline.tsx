import type { FeatureUsageRow } from '@burgee/protocol/usage'
import { sumCounts } from '@burgee/protocol/usage/count-sum'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fetchUsage } from '../../api/flags.ts'
import { useCatalogue, useFormat, useTexts } from '../../text/texts.tsx'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'
import { HourSparkline } from './hour-bars.tsx'
import { countPerHour, getSharePercent, sumUsage } from './usage-counts.ts'

const HOURS = 24
const REFRESH_INTERVAL_MS = 60_000

interface Props {
  readonly project: string
  readonly feature: string
  readonly environment: string
}

/** Usage of a flag in one environment, with the time of its last report. */
export function UsageLine({ lastSeenAt, ...place }: Props & { readonly lastSeenAt: string | null }) {
  return (
    <div className={styles.seenLine}>
      {/* If the flag was never reported, "none in the last day" would be redundant. */}
      <UsageSparkline {...place} none={lastSeenAt === null ? <LastReport at={null} /> : undefined} />
      {lastSeenAt !== null && <LastReport at={lastSeenAt} />}
    </div>
  )
}

/** Time of a flag's last report. If there was none, explains what counts as a report. */
export function LastReport({ at }: { at: string | null }) {
  const { flag, list } = useTexts(FLAG_TEXTS)
  const { ago } = useFormat()
  if (at === null) return <span title={list.notSeenHint}>{list.notSeenYet}</span>
  return <span>{flag.seen(ago(at))}</span>
}

/** Returns the reports of the last day for one environment; undefined until loaded. */
function useDayUsage(feature: string, environment: string): readonly FeatureUsageRow[] | undefined {
  const { data } = useQuery({
    queryKey: ['usage', feature, HOURS],
    queryFn: () => fetchUsage(feature, HOURS),
    refetchInterval: REFRESH_INTERVAL_MS,
  })
  return data?.data.filter((row) => row.environment === environment)
}

/** Bars for the last day's reports in one environment. Renders nothing if there are no reports. */
export function UsageBars({ feature, environment }: Pick<Props, 'feature' | 'environment'>) {
  const rows = useDayUsage(feature, environment)
  if (rows === undefined || rows.length === 0) return null
  return <HourSparkline hours={countPerHour(rows, HOURS, Date.now())} />
}

/** Small chart of the last day's reports in one environment, with their total in words; links to the usage tab. */
function UsageSparkline({ project, feature, environment, none }: Props & { readonly none: React.ReactNode }) {
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const { number } = useFormat()
  const rows = useDayUsage(feature, environment)
  // A placeholder of the same height prevents layout shifts while loading.
  if (rows === undefined) return <div className={styles.spark} />
  const { yes, no } = sumUsage(rows)
  if (yes + no === 0) return <div className={styles.spark}>{none ?? words.noneInDay}</div>
  return (
    <Link
      to="/projects/$project/features/$feature"
      params={{ project, feature }}
      search={{ tab: 'usage', hours: HOURS }}
      className={styles.spark ?? ''}
    >
      <HourSparkline hours={countPerHour(rows, HOURS, Date.now())} />
      <span>{words.inDay(number(sumCounts(yes, no)), number(getSharePercent({ yes, no })))}</span>
    </Link>
  )
}
