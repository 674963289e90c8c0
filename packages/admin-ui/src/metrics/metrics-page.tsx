import type { ImpactAggregation, ImpactRange } from '@burgee/protocol/administration/impact-reading'
import { Button, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { IMPACT_METRICS } from '../api/impact-metrics.ts'
import { ENVIRONMENTS } from '../api/queries.ts'
import { InsightsTabs } from '../insights/insights-tabs.tsx'
import { useProject } from '../shell/project/use-project.ts'
import { dropEmpty } from '../shell/search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import ui from '../ui/ui.module.css'
import { CHART_TEXTS } from './chart-texts.ts'
import { MetricChart } from './metric-chart.tsx'
import { findMetric, getMetricKey, listAggregations, type ReportedMetric } from './metric-names.ts'
import styles from './metrics.module.css'
import { SaveChart, SHARED_PERMISSION } from './save-chart.tsx'
import { SavedCharts } from './saved-charts.tsx'
import type { MetricSearch, MetricSearchChange } from './search-params.ts'
import { METRIC_TEXTS } from './texts.ts'

const route = getRouteApi('/app/metrics')
const PRODUCTION = 'production'

/** Page of the impact metrics of an environment, with a chart of one metric. */
export function MetricsPage() {
  const t = useCatalogue(METRIC_TEXTS)
  const { common } = useTexts()
  const project = useProject()
  const search = route.useSearch()
  const navigate = useNavigate()
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const answer = useQuery(IMPACT_METRICS)
  const put = (change: MetricSearchChange): void =>
    void navigate({ to: '/metrics', search: dropEmpty({ ...search, ...change }), replace: true })
  return (
    <Page
      title={t.title}
      tabs={<InsightsTabs project={project} here="metrics" />}
      intro={
        <Text c="dimmed" mb="md">
          {t.intro}
        </Text>
      }
    >
      <Loaded answer={answer}>
        {({ metrics }) => {
          const env = search.env ?? chooseEnvironment(metrics, environments)
          return (
            <>
              <NativeSelect
                label={common.environment}
                className={styles.environment ?? ''}
                data={environments.map(({ name }) => name)}
                value={env}
                mb="md"
                onChange={(event) => put({ env: event.currentTarget.value, metric: undefined, ...NO_LABELS })}
              />
              <EnvironmentMetrics
                environment={env}
                metrics={metrics.filter(({ environment }) => environment === env)}
                search={search}
                put={put}
              />
              <SavedCharts />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

const NO_LABELS = { mode: undefined, split: undefined, label: undefined, value: undefined } as const

/**
 * Returns the environment to show first: an environment that has metrics, if there is one. Prefers production
 * environments.
 */
function chooseEnvironment(
  metrics: readonly ReportedMetric[],
  environments: readonly { readonly name: string; readonly type: string }[],
): string {
  const sorted = [...environments].sort((a, b) => Number(b.type === PRODUCTION) - Number(a.type === PRODUCTION))
  const first = sorted.find(({ name }) => metrics.some(({ environment }) => environment === name)) ?? sorted[0]
  return first?.name ?? ''
}

interface Props {
  readonly environment: string
  readonly metrics: readonly ReportedMetric[]
  readonly search: MetricSearch
  readonly put: (change: MetricSearchChange) => void
}

function EnvironmentMetrics({ environment, metrics, search, put }: Props) {
  const t = useCatalogue(METRIC_TEXTS)
  const words = useCatalogue(CHART_TEXTS)
  const project = useProject()
  const may = usePermissionCheck()
  const metric = findMetric(metrics, { name: search.metric ?? '', environment }) ?? metrics[0]
  if (metric === undefined) {
    return (
      <Notice
        title={t.empty(environment)}
        action={
          <LinkButton to="/connect" search={{ project }}>
            {t.howTo}
          </LinkButton>
        }
      >
        {t.emptyText}
      </Notice>
    )
  }
  const range = search.range ?? 'hour'
  const mode = getMode(metric, search.mode)
  const labels = toSelectors(search)
  const mayKeep = may(SHARED_PERMISSION) || may('UPDATE_FEATURE', { project })
  return (
    <section className={`${ui.card} ${ui.padded}`} aria-label={metric.name}>
      <MetricFilters metric={metric} metrics={metrics} search={search} put={put} />
      <p className={styles.about}>
        <strong>{metric.name}</strong>
        {metric.help !== '' && <span>{metric.help}</span>}
        <span>
          {t.types[metric.type]}, {t.lastSeen} <RelativeTime at={metric.lastSeenAt} />
        </span>
      </p>
      <MetricChart metric={metric} range={range} mode={mode} labels={labels} />
      {mayKeep && (
        <Button variant="default" size="compact-md" mt="sm" onClick={() => put({ edit: 'new' })}>
          {words.save}
        </Button>
      )}
      {mayKeep && search.edit === 'new' && (
        <SaveChart
          project={project}
          chart={{
            metricName: metric.metricName,
            environment,
            timeRange: range,
            aggregationMode: mode,
            labelSelectors: labels,
            yAxisMin: 'zero',
          }}
          close={() => put({ edit: undefined })}
        />
      )}
    </section>
  )
}

function getMode({ type }: ReportedMetric, mode: ImpactAggregation | undefined): ImpactAggregation {
  const known = listAggregations(type)
  return mode !== undefined && known.includes(mode) ? mode : (known[0] ?? 'count')
}

function toSelectors({ split, label, value }: MetricSearch): Readonly<Record<string, string[]>> {
  return {
    ...(split === undefined ? {} : { [split]: ['*'] }),
    ...(label === undefined || value === undefined ? {} : { [label]: [value] }),
  }
}

function MetricFilters({
  metric,
  metrics,
  search,
  put,
}: Omit<Props, 'environment'> & { readonly metric: ReportedMetric }) {
  const t = useCatalogue(METRIC_TEXTS)
  const { common } = useTexts()
  const labels = Object.entries(metric.labels)
  const names = labels.map(([name]) => name)
  const values = metric.labels[search.label ?? ''] ?? []
  return (
    <div className={styles.filters}>
      <NativeSelect
        label={t.metric}
        data={metrics.map((one) => ({ value: getMetricKey(one, metrics), label: one.name }))}
        value={getMetricKey(metric, metrics)}
        onChange={(event) => put({ metric: event.currentTarget.value, ...NO_LABELS })}
      />
      <NativeSelect
        label={t.aggregation}
        data={listAggregations(metric.type).map((value) => ({ value, label: t.aggregations[value] }))}
        value={getMode(metric, search.mode)}
        onChange={(event) => put({ mode: event.currentTarget.value as ImpactAggregation })}
      />
      <NativeSelect
        label={t.range}
        data={Object.entries(t.ranges).map(([value, label]) => ({ value, label }))}
        value={search.range ?? 'hour'}
        onChange={(event) => put({ range: event.currentTarget.value as ImpactRange })}
      />
      {names.length > 0 && (
        <>
          <NativeSelect
            label={t.split}
            data={[{ value: '', label: t.noSplit }, ...names]}
            value={search.split ?? ''}
            onChange={(event) => put({ split: event.currentTarget.value || undefined })}
          />
          <NativeSelect
            label={t.filter}
            data={[{ value: '', label: common.none }, ...names]}
            value={search.label ?? ''}
            onChange={(event) => {
              const label = event.currentTarget.value || undefined
              put({ label, value: metric.labels[label ?? '']?.[0] })
            }}
          />
        </>
      )}
      {search.label !== undefined && values.length > 0 && (
        <NativeSelect
          label={search.label}
          data={values}
          value={search.value ?? ''}
          onChange={(event) => put({ value: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
