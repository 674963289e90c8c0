import type { ImpactRange } from '@burgee/protocol/administration/impact-reading'
import type { SafeguardAction } from '@burgee/protocol/administration/safeguard'
import type { Catalogue } from '../../../text/languages.ts'

const RANGES_EN: Readonly<Record<ImpactRange, string>> = {
  hour: 'in the last hour',
  day: 'in the last day',
  week: 'in the last week',
  month: 'in the last 30 days',
}

const RANGES_DE: typeof RANGES_EN = {
  hour: 'in der letzten Stunde',
  day: 'am letzten Tag',
  week: 'in der letzten Woche',
  month: 'in den letzten 30 Tagen',
}

const ACTIONS_EN: Readonly<Record<SafeguardAction, string>> = {
  pauseReleasePlanProgressions: 'Pause the plan',
  previousMilestone: 'Go back to the previous milestone, and pause',
  disableEnvironment: 'Turn the flag off, and pause',
}

const ACTIONS_DE: typeof ACTIONS_EN = {
  pauseReleasePlanProgressions: 'Plan anhalten',
  previousMilestone: 'Zurück zum vorigen Meilenstein und anhalten',
  disableEnvironment: 'Flag ausschalten und anhalten',
}

const en = {
  title: 'Safeguards',
  none: 'No safeguards yet. Without one, the plan continues even if errors increase.',
  add: 'Add safeguard',
  newTitle: (environment: string) => `New safeguard in ${environment}`,
  editTitle: (environment: string) => `Safeguard in ${environment}`,
  more: (name: string) => `More: safeguard ${name}`,
  name: (condition: string) => `Safeguard ${condition}`,
  condition: (value: string, operator: string, threshold: string) => `${value} ${operator} ${threshold}`,
  alert: (name: string) => `alert ${name}`,
  compared: (metric: string, operator: string, threshold: string) =>
    `${metric}: users with the flag ${operator} users without it, by ${threshold}`,
  watching: 'watching',
  waiting: 'waits for values',
  tripped: 'tripped',
  value: (value: string) => `Now ${value}`,
  line: (value: string, threshold: string) => `Last hour; now ${value}, threshold ${threshold}`,
  trippedTitle: (condition: string) => `Safeguard tripped: ${condition}`,
  observed: (value: string, threshold: string, from: string, to: string) =>
    `Observed ${value}, threshold ${threshold}, from ${from} to ${to}.`,
  trippedAt: (when: string) => `Tripped ${when}.`,
  acted: {
    pauseReleasePlanProgressions: 'The plan is paused.',
    previousMilestone: 'The previous milestone was started, and the plan is paused.',
    disableEnvironment: 'The flag was turned off, and the plan is paused.',
  } satisfies Record<SafeguardAction, string>,
  nothingResumes: 'Nothing resumes automatically. Look into it, then resume the plan.',
  source: 'Source',
  sources: { internal: 'Impact metric', alert: 'Alert of another system', prometheus: 'Query for Prometheus' },
  queryTitle: 'Title',
  queryTitleHint: 'Name that the plan shows for the query',
  query: 'Query (PromQL)',
  queryHint:
    'Evaluated once a minute on the Prometheus server of the settings. $flag and $environment stand for the names.',
  metric: 'Metric',
  metricHint: 'Name of a metric that your application reports',
  alertName: 'Name of the alert',
  alertHint: 'The `alertname` of Alertmanager, or the `rule` of another system',
  aggregation: 'Value',
  range: 'Time window',
  ranges: RANGES_EN,
  compare: 'Compare',
  compares: {
    absolute: 'Value with a threshold',
    'on-vs-off': 'Users with the flag, and users without it',
  },
  compareHint:
    'The metric needs a label with the name of the flag. The test waits for 100 evaluations in each group and stays valid although it runs every minute.',
  operator: 'Trip if it is',
  operators: { '>': 'above', '<': 'below' },
  threshold: 'Threshold',
  difference: 'Difference of rates that matters',
  differenceHint: 'From 0 to 1: 0.05 are 5 percentage points',
  action: 'Then',
  actions: ACTIONS_EN,
  advanced: 'More conditions',
  forMinutes: 'For minutes',
  forMinutesHint: 'The condition must hold for this time',
  minimumSample: 'Minimum number of events',
  minimumSampleHint: 'Below it, nothing happens',
  onNoData: 'Without values',
  onNoDatas: {
    hold: 'Wait: the plan does not progress',
    ignore: 'Continue',
  },
  onNoDataHint: 'Silence is not health: without reports, no one knows whether the release works.',
  allowPublic: 'Also use values of pages and apps',
  allowPublicHint: 'Anyone with the key of the page can change these values.',
  sentence: (condition: string, range: string, action: string) => `If ${condition} ${range}: ${action}.`,
  current: 'Last hour',
  remove: 'Remove safeguard',
  removeTitle: 'Remove this safeguard?',
  removed: 'Safeguard removed',
  saved: 'Safeguard saved',
  noMetric: 'No application has reported this metric in this environment yet.',
}

const de: typeof en = {
  title: 'Schutzregeln',
  none: 'Noch keine Schutzregeln. Ohne sie läuft der Plan weiter, auch wenn Fehler zunehmen.',
  add: 'Schutzregel hinzufügen',
  newTitle: (environment) => `Neue Schutzregel in ${environment}`,
  editTitle: (environment) => `Schutzregel in ${environment}`,
  more: (name) => `Mehr: Schutzregel ${name}`,
  name: (condition) => `Schutzregel ${condition}`,
  condition: (value, operator, threshold) => `${value} ${operator} ${threshold}`,
  alert: (name) => `Alarm ${name}`,
  compared: (metric, operator, threshold) =>
    `${metric}: Benutzer mit dem Flag ${operator} Benutzer ohne das Flag, um ${threshold}`,
  watching: 'überwacht',
  waiting: 'wartet auf Werte',
  tripped: 'ausgelöst',
  value: (value) => `Jetzt ${value}`,
  line: (value, threshold) => `Letzte Stunde; jetzt ${value}, Schwellenwert ${threshold}`,
  trippedTitle: (condition) => `Schutzregel ausgelöst: ${condition}`,
  observed: (value, threshold, from, to) => `Gemessen: ${value}, Schwellenwert ${threshold}, von ${from} bis ${to}.`,
  trippedAt: (when) => `Ausgelöst ${when}.`,
  acted: {
    pauseReleasePlanProgressions: 'Der Plan ist angehalten.',
    previousMilestone: 'Der vorige Meilenstein wurde gestartet, und der Plan ist angehalten.',
    disableEnvironment: 'Das Flag wurde ausgeschaltet, und der Plan ist angehalten.',
  },
  nothingResumes: 'Nichts wird automatisch fortgesetzt. Prüfen Sie die Ursache und setzen Sie dann den Plan fort.',
  source: 'Quelle',
  sources: { internal: 'Impact Metric', alert: 'Alarm eines anderen Systems', prometheus: 'Abfrage an Prometheus' },
  queryTitle: 'Titel',
  queryTitleHint: 'Name, unter dem der Plan die Abfrage anzeigt',
  query: 'Abfrage (PromQL)',
  queryHint:
    'Wird jede Minute auf dem Prometheus-Server aus den Einstellungen ausgewertet. $flag und $environment stehen für die Namen.',
  metric: 'Metrik',
  metricHint: 'Name einer Metrik, die Ihre Anwendung meldet',
  alertName: 'Name des Alarms',
  alertHint: 'Der `alertname` von Alertmanager oder die `rule` eines anderen Systems',
  aggregation: 'Wert',
  range: 'Zeitfenster',
  ranges: RANGES_DE,
  compare: 'Vergleichen',
  compares: {
    absolute: 'Wert mit einem Schwellenwert',
    'on-vs-off': 'Benutzer mit dem Flag und Benutzer ohne das Flag',
  },
  compareHint:
    'Die Metrik braucht ein Label mit dem Namen des Flags. Der Test wartet auf 100 Auswertungen in jeder Gruppe und bleibt gültig, obwohl er jede Minute läuft.',
  operator: 'Auslösen, wenn der Wert',
  operators: { '>': 'darüber liegt', '<': 'darunter liegt' },
  threshold: 'Schwellenwert',
  difference: 'Relevanter Unterschied der Raten',
  differenceHint: 'Von 0 bis 1: 0,05 sind 5 Prozentpunkte',
  action: 'Dann',
  actions: ACTIONS_DE,
  advanced: 'Weitere Bedingungen',
  forMinutes: 'Dauer in Minuten',
  forMinutesHint: 'So lange muss die Bedingung erfüllt sein',
  minimumSample: 'Mindestanzahl der Ereignisse',
  minimumSampleHint: 'Darunter passiert nichts',
  onNoData: 'Ohne Werte',
  onNoDatas: {
    hold: 'Warten: Der Plan bleibt stehen',
    ignore: 'Fortfahren',
  },
  onNoDataHint:
    'Keine Meldung heißt nicht, dass alles in Ordnung ist: Ohne Meldungen weiß niemand, ob das Release funktioniert.',
  allowPublic: 'Auch Werte von Seiten und Apps verwenden',
  allowPublicHint: 'Wer den Schlüssel der Seite hat, kann diese Werte ändern.',
  sentence: (condition, range, action) => `Wenn ${condition} ${range}: ${action}.`,
  current: 'Letzte Stunde',
  remove: 'Schutzregel entfernen',
  removeTitle: 'Diese Schutzregel entfernen?',
  removed: 'Schutzregel entfernt',
  saved: 'Schutzregel gespeichert',
  noMetric: 'Noch keine Anwendung hat diese Metrik in dieser Umgebung gemeldet.',
}

/** UI strings about safeguards. */
export const SAFEGUARD_TEXTS: Catalogue<typeof en> = { en, de }
