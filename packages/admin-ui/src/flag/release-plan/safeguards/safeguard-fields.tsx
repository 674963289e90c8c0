import type { ImpactAggregation, ImpactRange } from '@burgee/protocol/administration/impact-reading'
import { MAX_QUERY } from '@burgee/protocol/administration/prometheus-source'
import type { SafeguardAction } from '@burgee/protocol/administration/safeguard'
import { Autocomplete, Checkbox, Group, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IMPACT_METRICS } from '../../../api/impact-metrics.ts'
import { findMetric, getMetricKey, listAggregations, type ReportedMetric } from '../../../metrics/metric-names.ts'
import { METRIC_TEXTS } from '../../../metrics/texts.ts'
import { useCatalogue } from '../../../text/texts.tsx'
import { useSubmitAttempted } from '../../../ui/form/submit-attempted.ts'
import ui from '../../../ui/ui.module.css'
import type { SafeguardDraft } from './safeguard-draft.ts'
import { SafeguardLine } from './safeguard-line.tsx'
import styles from './safeguards.module.css'
import { SAFEGUARD_TEXTS } from './texts.ts'

interface Props {
  readonly environment: string
  readonly draft: SafeguardDraft
  readonly put: (change: Partial<SafeguardDraft>) => void
}

/** Input fields for a safeguard. */
export function SafeguardFields(props: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const { draft, put } = props
  const isAlert = draft.source === 'alert'
  return (
    <>
      <NativeSelect
        label={t.source}
        data={toOptions(t.sources)}
        value={draft.source}
        onChange={(event) => put({ source: event.currentTarget.value as SafeguardDraft['source'] })}
      />
      {isAlert && <AlertName {...props} />}
      {draft.source === 'prometheus' && <QueryFields {...props} />}
      {draft.source === 'internal' && <MetricFields {...props} />}
      <NativeSelect
        label={t.action}
        data={toOptions(t.actions)}
        value={draft.action}
        onChange={(event) => put({ action: event.currentTarget.value as SafeguardAction })}
      />
      {!isAlert && <AdvancedFields {...props} />}
    </>
  )
}

const toOptions = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

function AlertName({ draft, put }: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  return (
    <TextInput
      label={t.alertName}
      description={t.alertHint}
      value={draft.metricName}
      maxLength={1000}
      required
      onChange={(event) => put({ metricName: event.currentTarget.value })}
    />
  )
}

/** Fields for the title and query of a Prometheus safeguard, and for its condition. */
function QueryFields({ draft, put }: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  return (
    <>
      <TextInput
        label={t.queryTitle}
        description={t.queryTitleHint}
        value={draft.metricName}
        maxLength={1000}
        required
        onChange={(event) => put({ metricName: event.currentTarget.value })}
      />
      <Textarea
        label={t.query}
        description={t.queryHint}
        value={draft.query}
        maxLength={MAX_QUERY}
        required
        autosize
        minRows={2}
        spellCheck={false}
        onChange={(event) => put({ query: event.currentTarget.value })}
      />
      <Condition draft={{ ...draft, compare: 'absolute' }} put={put} />
    </>
  )
}

/** Fields for the metric, its value within a time window, and the condition. */
function MetricFields({ environment, draft, put }: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const words = useCatalogue(METRIC_TEXTS)
  const { data } = useQuery(IMPACT_METRICS)
  const known = (data?.metrics ?? []).filter((one) => one.environment === environment)
  const metric = findMetric(known, { name: draft.metricName, environment })
  const modes = listModes(metric)
  const isCompared = draft.compare === 'on-vs-off'
  return (
    <>
      <Autocomplete
        label={t.metric}
        description={t.metricHint}
        data={known.map((one) => getMetricKey(one, known))}
        value={draft.metricName}
        required
        data-autofocus
        onChange={(metricName) => put({ metricName, aggregationMode: undefined, compare: 'absolute' })}
      />
      {draft.metricName !== '' && metric === undefined && data !== undefined && (
        <p className={styles.none}>{t.noMetric}</p>
      )}
      <div className={ui.columns}>
        <NativeSelect
          label={t.aggregation}
          data={modes.map((value) => ({ value, label: words.aggregations[value] }))}
          value={draft.aggregationMode ?? modes[0]}
          onChange={(event) => put({ aggregationMode: event.currentTarget.value as ImpactAggregation })}
        />
        <NativeSelect
          label={t.range}
          data={toOptions(words.ranges)}
          value={draft.timeRange}
          onChange={(event) => put({ timeRange: event.currentTarget.value as ImpactRange })}
        />
      </div>
      {metric?.type === 'counter' && (
        <NativeSelect
          label={t.compare}
          {...(isCompared ? { description: t.compareHint } : {})}
          data={toOptions(t.compares)}
          value={draft.compare}
          onChange={(event) => put({ compare: event.currentTarget.value as SafeguardDraft['compare'] })}
        />
      )}
      <Condition draft={draft} put={put} />
      {metric !== undefined && (
        <div className={styles.current}>
          <SafeguardLine
            environment={environment}
            metric={{ ...draft, aggregationMode: draft.aggregationMode ?? modes[0] }}
            threshold={isCompared || draft.threshold === '' ? undefined : draft.threshold}
          />
        </div>
      )}
    </>
  )
}

/** Returns the aggregations that a metric allows; while the metric is unknown, the ones for counters. */
const listModes = (metric: ReportedMetric | undefined): readonly ImpactAggregation[] =>
  listAggregations(metric?.type ?? 'counter')

function Condition({ draft, put }: Pick<Props, 'draft' | 'put'>) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const hasTried = useSubmitAttempted()
  const isCompared = draft.compare === 'on-vs-off'
  return (
    <Group align="flex-start" grow>
      <NativeSelect
        label={t.operator}
        data={toOptions(t.operators)}
        value={draft.operator}
        onChange={(event) => put({ operator: event.currentTarget.value as SafeguardDraft['operator'] })}
      />
      <NumberInput
        label={isCompared ? t.difference : t.threshold}
        {...(isCompared ? { description: t.differenceHint } : {})}
        value={draft.threshold}
        required
        error={hasTried && draft.threshold === ''}
        onChange={(value) => put({ threshold: toNumber(value) })}
      />
    </Group>
  )
}

const toNumber = (value: number | string): number | '' => (value === '' || value === '-' ? '' : Number(value))

function AdvancedFields({ draft, put }: Pick<Props, 'draft' | 'put'>) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  return (
    <fieldset className={ui.part}>
      <legend>{t.advanced}</legend>
      <div className={ui.fields}>
        <NativeSelect
          label={t.onNoData}
          description={t.onNoDataHint}
          data={toOptions(t.onNoDatas)}
          value={draft.onNoData}
          onChange={(event) => put({ onNoData: event.currentTarget.value as SafeguardDraft['onNoData'] })}
        />
        <div className={ui.columns}>
          <NumberInput
            label={t.forMinutes}
            description={t.forMinutesHint}
            value={draft.forMinutes}
            min={0}
            max={1440}
            allowDecimal={false}
            onChange={(value) => put({ forMinutes: toNumber(value) })}
          />
          <NumberInput
            label={t.minimumSample}
            description={t.minimumSampleHint}
            value={draft.minimumSample}
            min={0}
            max={1_000_000_000}
            allowDecimal={false}
            onChange={(value) => put({ minimumSample: toNumber(value) })}
          />
        </div>
        <Checkbox
          label={t.allowPublic}
          description={t.allowPublicHint}
          checked={draft.allowPublicMetrics}
          onChange={(event) => put({ allowPublicMetrics: event.currentTarget.checked })}
        />
      </div>
    </fieldset>
  )
}
