import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Prometheus',
  url: 'URL',
  urlHint:
    'Charts and safeguards can also query this server. Burgee only reads from it. Leave it empty to turn it off.',
  urlExample: 'https://prometheus.example.com',
  header: 'Authorization header',
  headerHint: 'Optional, for example “Bearer …”. It is stored encrypted.',
  storedHeaderHint: 'A header is stored. Clear the field to remove it.',
  saved: 'Prometheus settings saved',
}

const de: typeof en = {
  title: 'Prometheus',
  url: 'URL',
  urlHint:
    'Diagramme und Safeguards können auch diesen Server abfragen. Burgee liest nur. Ohne URL ist die Abfrage aus.',
  urlExample: 'https://prometheus.example.com',
  header: 'Header „Authorization“',
  headerHint: 'Optional, zum Beispiel „Bearer …“. Er wird verschlüsselt gespeichert.',
  storedHeaderHint: 'Ein Header ist gespeichert. Leeren Sie das Feld, um ihn zu entfernen.',
  saved: 'Prometheus-Einstellungen gespeichert',
}

/** UI texts about the Prometheus server that charts and safeguards can read. */
export const PROMETHEUS_TEXTS: Catalogue<typeof en> = { en, de }
