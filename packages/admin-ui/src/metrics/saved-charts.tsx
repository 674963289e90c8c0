import type { ImpactChart } from '@burgee/protocol/administration/impact-chart'
import { useQuery } from '@tanstack/react-query'
import type { FlagRef } from '../api/flags.ts'
import { getChartsQuery, removeChart } from '../api/impact-charts.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import ui from '../ui/ui.module.css'
import { CHART_TEXTS } from './chart-texts.ts'
import { MetricChart } from './metric-chart.tsx'
import styles from './metrics.module.css'
import { SHARED_PERMISSION } from './save-chart.tsx'
import { METRIC_TEXTS } from './texts.ts'

interface Props {
  /** Flag whose charts are shown; undefined for charts that belong to no flag. */
  readonly flag?: FlagRef
}

/** Saved charts. Renders nothing if there are none. */
export function SavedCharts({ flag }: Props) {
  const t = useCatalogue(CHART_TEXTS)
  const { data = [] } = useQuery(getChartsQuery(flag))
  if (data.length === 0) return null
  const heading = flag === undefined ? t.savedCharts : t.flagCharts
  return (
    <section className={styles.saved} aria-label={heading}>
      <h2>{heading}</h2>
      {data.map((chart) => (
        <SavedChart key={chart.id} chart={chart} flag={flag} />
      ))}
    </section>
  )
}

function SavedChart({ chart, flag }: { readonly chart: ImpactChart; readonly flag: FlagRef | undefined }) {
  const t = useCatalogue(CHART_TEXTS)
  const words = useCatalogue(METRIC_TEXTS)
  const { common } = useTexts()
  const may = usePermissionCheck()
  const act = useAction()
  const { metricName, displayName, environment, timeRange, aggregationMode, labelSelectors = {}, yAxisMin } = chart
  const title = chart.title ?? displayName
  const mayChange = flag === undefined ? may(SHARED_PERMISSION) : may('UPDATE_FEATURE', { project: flag.project })
  const remove = () =>
    act({
      what: t.remove(title),
      ask: { title: t.removeTitle(title), text: t.removeText, action: common.delete, isDanger: true },
      run: () => removeChart(flag, chart.id),
      done: t.removed,
      changes: ['impact-charts'],
    })
  const about = [aggregationMode && words.aggregations[aggregationMode], words.ranges[timeRange], environment ?? t.all]
  return (
    <article className={`${ui.card} ${ui.padded}`} aria-label={title}>
      <p className={styles.about}>
        <strong>{title}</strong>
        <span>{about.filter(Boolean).join(' · ')}</span>
        {mayChange && <RowButton label={t.remove(title)} text={common.delete} isDanger act={remove} />}
      </p>
      <MetricChart
        metric={{ name: displayName, metricName, environment }}
        range={timeRange}
        mode={aggregationMode}
        labels={labelSelectors}
        startsAtZero={yAxisMin === 'zero'}
      />
    </article>
  )
}
