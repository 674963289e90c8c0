import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { FeatureUsageRow } from '@burgee/protocol/usage'
import { NativeSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchUsage } from '../../api/flags.ts'
import { LifecyclePath } from '../../lifecycle/lifecycle-path.tsx'
import { SavedCharts } from '../../metrics/saved-charts.tsx'
import { WeightBar } from '../../strategy/weight-bar.tsx'
import { useCatalogue, useFormat, useTexts } from '../../text/texts.tsx'
import { Notice, ProblemNotice } from '../../ui/page/problem.tsx'
import ui from '../../ui/ui.module.css'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'
import { RolloutChart } from './rollout-chart.tsx'
import { UsageChart } from './usage-chart.tsx'
import { countPerHour, countPerVariant, getSharePercent, sumUsage } from './usage-counts.ts'
import { type FlagChanges, useFlagChanges } from './use-flag-changes.ts'

const SPANS = [24, 48, 168, 720]
const DEFAULT_HOURS = 48
const WHOLE = 1000

interface Props {
  readonly flag: AdminFeature
  /** Filters from the URL: the number of hours to show, and the application. */
  readonly hours: number | undefined
  readonly app: string | undefined
  readonly put: (change: { hours?: number | undefined; app?: string | undefined }) => void
}

/** Usage of a flag as reported by SDKs, by environment, hour, application and variant. */
export function Usage({ flag, hours = DEFAULT_HOURS, app, put }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const changes = useFlagChanges(flag)
  const { name: feature } = flag
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
  const environments = [...new Set([...flag.environments.map(({ name }) => name), ...byEnvironment.keys()])]
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
      <section className={`${ui.card} ${ui.padded} ${styles.usage}`} aria-label={words.lifecycle}>
        <h2 className={styles.usageTitle}>{words.lifecycle}</h2>
        <LifecyclePath project={flag.project} feature={feature} />
      </section>
      <SavedCharts flag={{ project: flag.project, feature }} />
      {environments.map((environment) => (
        <EnvironmentUsage
          key={environment}
          environment={environment}
          rows={byEnvironment.get(environment) ?? []}
          hours={hours}
          changes={changes}
        />
      ))}
    </>
  )
}

interface EnvironmentProps {
  readonly environment: string
  readonly rows: readonly FeatureUsageRow[]
  readonly hours: number
  readonly changes: FlagChanges
}

/** Usage and rollout of a flag in one environment. Renders nothing if there are neither results nor changes. */
function EnvironmentUsage({ environment, rows, hours, changes }: EnvironmentProps) {
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const { number } = useFormat()
  const history = changes.trace(environment)
  if (rows.length === 0 && history.changes.length === 0) return null
  const { yes, no } = sumUsage(rows)
  return (
    <section className={`${ui.card} ${ui.padded} ${styles.usage}`} aria-label={environment}>
      <h2 className={styles.usageTitle}>
        {environment} {rows.length > 0 && <small>{words.share(number(getSharePercent({ yes, no })))}</small>}
      </h2>
      {rows.length > 0 && <Results environment={environment} rows={rows} hours={hours} changes={changes} />}
      {history.changes.length > 0 && (
        <>
          <h3 className={styles.usageTitle}>{words.rollout}</h3>
          <RolloutChart
            history={history}
            label={words.rolloutChart(environment)}
            from={changes.from}
            to={Date.now()}
            describe={changes.describe}
          />
        </>
      )}
      {rows.length > 0 && <Applications rows={rows} />}
    </section>
  )
}

/** Evaluations per hour, and the percentage of each variant. */
function Results({ environment, rows, hours, changes }: EnvironmentProps) {
  const t = useTexts(FLAG_TEXTS)
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const counts = countPerVariant(rows)
  const all = Math.max(
    1,
    counts.reduce((sum, [, count]) => sum + count, 0),
  )
  return (
    <>
      <UsageChart
        hours={countPerHour(rows, hours, Date.now())}
        label={t.flag.usageChart(environment)}
        changes={changes.trace(environment).changes.map(({ at, event }) => ({ at, text: changes.describe(event) }))}
      />
      {counts.length > 0 && (
        <>
          <h3 className={styles.usageTitle}>{words.byVariant}</h3>
          <WeightBar variants={counts.map(([name, count]) => ({ name, weight: Math.round((count / all) * WHOLE) }))} />
        </>
      )}
    </>
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
