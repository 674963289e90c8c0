import type { Catalogue } from '../text/languages.ts'

const en = {
  save: 'Save chart',
  title: 'Title',
  titleHint: 'The name of the metric by default.',
  place: 'Place',
  onMetrics: 'This page, for everyone',
  onFlag: 'The page of a flag',
  flag: 'Flag',
  saved: 'Chart saved',
  savedCharts: 'Saved charts',
  flagCharts: 'Metrics',
  all: 'all environments',
  remove: (title: string) => `Delete chart ${title}`,
  removeTitle: (title: string) => `Delete the chart ${title}?`,
  removeText: 'Only the saved chart is deleted. The values of the metric remain.',
  removed: 'Chart deleted',
}

const de: typeof en = {
  save: 'Diagramm speichern',
  title: 'Titel',
  titleHint: 'Standard ist der Name der Metrik.',
  place: 'Ort',
  onMetrics: 'Diese Seite, für alle',
  onFlag: 'Die Seite eines Flags',
  flag: 'Flag',
  saved: 'Diagramm gespeichert',
  savedCharts: 'Gespeicherte Diagramme',
  flagCharts: 'Metriken',
  all: 'alle Umgebungen',
  remove: (title) => `Diagramm ${title} löschen`,
  removeTitle: (title) => `Diagramm ${title} löschen?`,
  removeText: 'Nur das gespeicherte Diagramm wird gelöscht. Die Werte der Metrik bleiben.',
  removed: 'Diagramm gelöscht',
}

/** UI strings about saved charts. */
export const CHART_TEXTS: Catalogue<typeof en> = { en, de }
