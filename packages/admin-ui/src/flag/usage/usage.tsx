import type { FeatureUsageRow } from '@burgee/protocol/usage'
import { NativeSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchUsage } from '../../api/flags.ts'
import { WeightBar } from '../../strategy/weight-bar.tsx'
import { useCatalogue, useFormat, useTexts } from '../../text/texts.tsx'
import { Notice, ProblemNotice } from '../../ui/page/problem.tsx'
import ui from '../../ui/ui.module.css'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'
import { UsageChart } from './usage-chart.tsx'
import { countPerHour, countPerVariant, getSharePercent, sumUsage } from './usage-counts.ts'

const SPANS = [24, 48, 168, 720]
const DEFAULT_HOURS = 48
const WHOLE = 1000

interface Props {
  readonly feature: string
  /** Filters from the URL: hours back and application. */
  readonly hours: number | undefined
  readonly app: string | undefined
  readonly put: (change: { hours?: number | undefined; app?: string | undefined }) => void
}

/** Usage of a flag as reported by SDKs, by environment, hour, application and variant. */
export function Usage({ feature, hours = DEFAULT_HOURS, app, put }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', feature, hours],
    queryFn: () => fetchUsage(feature, hours),
    refetchInterval: 15_000,
  })
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={240} role="status" aria-label={t.common.loading} />
  const applications = [...new Set([...data.data.map(({ appName }) => appName), ...(app === undefined ? [] : [app])])]
  const rows = app === undefined ? data.data : data.data.filter(({ appName }) => appName === app)
  const byEnvironment = Map.groupBy(rows, (row) => row.environment)
  return (
    <>
      <div className={styles.usageFilters}>
        <NativeSelect
          label={t.flag.usageHours}
          data={SPANS.map((span) => ({ value: String(span), label: t.flag.hours(span) }))}
          value={String(hours)}
          onChange={(event) => put({ app, hours: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={words.application}
          data={[{ value: '', label: words.all }, ...applications.sort()]}
          value={app ?? ''}
          onChange={(event) => put({ hours, app: event.currentTarget.value || undefined })}
        />
      </div>
      {rows.length === 0 && (
        <Notice title={app === undefined ? t.flag.noUsage : words.none}>{t.flag.noUsageText}</Notice>
      )}
      {[...byEnvironment].map(([environment, some]) => (
        <EnvironmentUsage key={environment} environment={environment} rows={some} hours={hours} />
      ))}
    </>
  )
}

function EnvironmentUsage(props: { environment: string; rows: readonly FeatureUsageRow[]; hours: number }) {
  const t = useTexts(FLAG_TEXTS)
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const { number } = useFormat()
  const { environment, rows, hours } = props
  const { yes, no } = sumUsage(rows)
  const counts = countPerVariant(rows)
  const all = Math.max(
    1,
    counts.reduce((sum, [, count]) => sum + count, 0),
  )
  return (
    <section className={`${ui.card} ${ui.padded} ${styles.usage}`} aria-label={environment}>
      <h2 className={styles.usageTitle}>
        {environment} <small>{words.share(number(getSharePercent({ yes, no })))}</small>
      </h2>
      <UsageChart hours={countPerHour(rows, hours, Date.now())} label={t.flag.usageChart(environment)} />
      {counts.length > 0 && (
        <>
          <h3 className={styles.usageTitle}>{words.byVariant}</h3>
          <WeightBar variants={counts.map(([name, count]) => ({ name, weight: Math.round((count / all) * WHOLE) }))} />
        </>
      )}
      <Applications rows={rows} />
    </section>
  )
}

function Applications({ rows }: { rows: readonly FeatureUsageRow[] }) {
  const t = useTexts(FLAG_TEXTS)
  const { number } = useFormat()
  const byApplication = [...Map.groupBy(rows, (row) => row.appName)]
    .map(([name, list]) => ({ name, list, ...sumUsage(list) }))
    .sort((a, b) => b.yes + b.no - a.yes - a.no)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus a scrolling region
    // biome-ignore lint/a11y/useSemanticElements: a scrolling table is not a fieldset
    <div className={ui.scroller} tabIndex={0} role="group" aria-label={t.flag.application}>
      <table className={ui.table}>
        <thead>
          <tr>
            <th scope="col">{t.flag.application}</th>
            <th scope="col">{t.flag.usageYes}</th>
            <th scope="col">{t.flag.usageNo}</th>
            <th scope="col">{t.flag.variants}</th>
          </tr>
        </thead>
        <tbody>
          {byApplication.map(({ name, list, yes, no }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{number(yes)}</td>
              <td>{number(no)}</td>
              <td>
                {countPerVariant(list)
                  .map(([variant, count]) => `${variant} ${number(count)}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
