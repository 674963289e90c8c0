import type { ImpactAggregation, ImpactRange } from '@burgee/protocol/administration/impact-reading'
import type { Catalogue } from '../text/languages.ts'

const AGGREGATIONS_EN: Readonly<Record<ImpactAggregation, string>> = {
  count: 'Count',
  rps: 'Per second',
  avg: 'Average',
  sum: 'Sum',
  p50: 'Median (p50)',
  p95: '95th percentile (p95)',
  p99: '99th percentile (p99)',
}

const AGGREGATIONS_DE: typeof AGGREGATIONS_EN = {
  count: 'Anzahl',
  rps: 'Pro Sekunde',
  avg: 'Mittelwert',
  sum: 'Summe',
  p50: 'Median (p50)',
  p95: '95. Perzentil (p95)',
  p99: '99. Perzentil (p99)',
}

const RANGES_EN: Readonly<Record<ImpactRange, string>> = {
  hour: 'Last hour',
  day: 'Last day',
  week: 'Last week',
  month: 'Last 30 days',
}

const RANGES_DE: typeof RANGES_EN = {
  hour: 'Letzte Stunde',
  day: 'Letzter Tag',
  week: 'Letzte Woche',
  month: 'Letzte 30 Tage',
}

const en = {
  title: 'Metrics',
  intro: 'Impact metrics that your applications report with the official SDKs.',
  metric: 'Metric',
  range: 'Time range',
  aggregation: 'Value',
  aggregations: AGGREGATIONS_EN,
  ranges: RANGES_EN,
  types: { counter: 'Counter', gauge: 'Gauge', histogram: 'Histogram' },
  lastSeen: 'last reported',
  filter: 'Filter',
  split: 'Split by',
  noSplit: 'Not split',
  unit: (value: string, step: string) => `${value}, by ${step}`,
  peak: (value: string) => `Peak: ${value}`,
  noValue: 'no value',
  point: (time: string, value: string) => `${time}: ${value}`,
  pointOf: (series: string, value: string) => `${series}: ${value}`,
  chart: (metric: string, environment: string) => `${metric} in ${environment}`,
  changes: 'Changes of flags',
  changesHint: 'Flags turned on or off, milestones, changed strategies and safeguards',
  noPoints: 'No values in this time range',
  noPointsText: 'Values arrive one to two minutes after an application has reported them.',
  truncated: (shown: number, all: number) =>
    `Shows the first ${shown} of ${all} series. Filter by label to see others.`,
  empty: (environment: string) => `No metrics in ${environment} yet`,
  emptyText:
    'Add three lines to an application that uses an SDK with impact metrics. Its values arrive within two minutes.',
  howTo: 'Show the code',
}

const de: typeof en = {
  title: 'Metriken',
  intro: 'Impact Metrics, die Ihre Anwendungen mit den offiziellen SDKs melden.',
  metric: 'Metrik',
  range: 'Zeitraum',
  aggregation: 'Wert',
  aggregations: AGGREGATIONS_DE,
  ranges: RANGES_DE,
  types: { counter: 'Counter', gauge: 'Gauge', histogram: 'Histogramm' },
  lastSeen: 'zuletzt gemeldet',
  filter: 'Filter',
  split: 'Aufteilen nach',
  noSplit: 'Nicht aufgeteilt',
  unit: (value, step) => `${value}, je ${step}`,
  peak: (value) => `Höchstwert: ${value}`,
  noValue: 'kein Wert',
  point: (time, value) => `${time}: ${value}`,
  pointOf: (series, value) => `${series}: ${value}`,
  chart: (metric, environment) => `${metric} in ${environment}`,
  changes: 'Änderungen an Flags',
  changesHint: 'Ein- oder ausgeschaltete Flags, Meilensteine, geänderte Strategien und Schutzregeln',
  noPoints: 'Keine Werte in diesem Zeitraum',
  noPointsText: 'Werte treffen ein bis zwei Minuten nach der Meldung durch eine Anwendung ein.',
  truncated: (shown: number, all: number) =>
    `Zeigt die ersten ${shown} von ${all} Zeitreihen. Filtern Sie nach einem Label, um andere zu sehen.`,
  empty: (environment) => `Noch keine Metriken in ${environment}`,
  emptyText:
    'Fügen Sie einer Anwendung, deren SDK Impact Metrics unterstützt, drei Zeilen hinzu. Ihre Werte treffen innerhalb von zwei Minuten ein.',
  howTo: 'Code anzeigen',
}

/** UI strings about impact metrics. */
export const METRIC_TEXTS: Catalogue<typeof en> = { en, de }
