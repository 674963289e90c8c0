import type { ImpactAggregation, ImpactRange } from '@burgee/protocol/administration/impact-reading'
import type { Safeguard, SafeguardAction, SafeguardInput } from '@burgee/protocol/administration/safeguard'

/** Safeguard being edited. A number is empty until the user has entered it. */
export interface SafeguardDraft {
  readonly source: 'internal' | 'alert' | 'prometheus'
  /** Name of the metric or alert; for Prometheus, a title for the query. */
  readonly metricName: string
  /** PromQL query; only for Prometheus. */
  readonly query: string
  readonly aggregationMode: ImpactAggregation | undefined
  readonly timeRange: ImpactRange
  readonly labelSelectors: SafeguardInput['impactMetric']['labelSelectors']
  readonly compare: 'absolute' | 'on-vs-off'
  readonly operator: '>' | '<'
  readonly threshold: number | ''
  readonly forMinutes: number | ''
  readonly minimumSample: number | ''
  readonly action: SafeguardAction
  readonly onNoData: 'hold' | 'ignore'
  readonly allowPublicMetrics: boolean
}

/** Draft of a new safeguard, which pauses the plan if a value exceeds a threshold. */
export const NEW_SAFEGUARD: SafeguardDraft = {
  source: 'internal',
  metricName: '',
  query: '',
  aggregationMode: undefined,
  timeRange: 'hour',
  labelSelectors: undefined,
  compare: 'absolute',
  operator: '>',
  threshold: '',
  forMinutes: '',
  minimumSample: '',
  action: 'pauseReleasePlanProgressions',
  onNoData: 'hold',
  allowPublicMetrics: false,
}

/** Converts a stored safeguard to a draft. */
export function toSafeguardDraft({ impactMetric, triggerCondition, action, onNoData }: Safeguard): SafeguardDraft {
  return {
    source: impactMetric.source,
    metricName: impactMetric.metricName,
    query: impactMetric.query ?? '',
    aggregationMode: impactMetric.aggregationMode,
    timeRange: impactMetric.timeRange,
    labelSelectors: impactMetric.labelSelectors,
    compare: triggerCondition?.compare ?? 'absolute',
    operator: triggerCondition?.operator ?? '>',
    threshold: triggerCondition?.threshold ?? '',
    forMinutes: triggerCondition?.forMinutes || '',
    minimumSample: triggerCondition?.minimumSample ?? '',
    action: action.type,
    onNoData,
    allowPublicMetrics: impactMetric.allowPublicMetrics,
  }
}

/** Converts a draft to a request body. An alert has no condition, and a query has no aggregation. */
export function toBody(draft: SafeguardDraft): SafeguardInput {
  const { source, aggregationMode, labelSelectors, operator, minimumSample } = draft
  const isAlert = source === 'alert'
  const isInternal = source === 'internal'
  const compare = isInternal ? draft.compare : 'absolute'
  return {
    impactMetric: {
      metricName: draft.metricName.trim(),
      source,
      timeRange: draft.timeRange,
      allowPublicMetrics: draft.allowPublicMetrics,
      ...(source === 'prometheus' ? { query: draft.query.trim() } : {}),
      ...(isInternal && aggregationMode !== undefined ? { aggregationMode } : {}),
      ...(isInternal && labelSelectors !== undefined ? { labelSelectors } : {}),
    },
    ...(isAlert
      ? {}
      : {
          triggerCondition: {
            operator,
            compare,
            threshold: Number(draft.threshold),
            forMinutes: Number(draft.forMinutes),
            ...(isInternal && minimumSample !== '' ? { minimumSample } : {}),
          },
        }),
    action: { type: draft.action },
    onNoData: draft.onNoData,
  }
}

/** Returns true if a draft can be saved. */
export function isReady({ source, metricName, query, threshold, compare }: SafeguardDraft): boolean {
  if (metricName.trim() === '') return false
  if (source === 'alert') return true
  if (source === 'prometheus') return query.trim() !== '' && threshold !== ''
  if (threshold === '') return false
  return compare === 'absolute' || (threshold > 0 && threshold <= 1)
}
