import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Signal endpoints',
  intro:
    'Addresses at which Prometheus Alertmanager and other systems report alerts. An alert trips the safeguards that wait for its name.',
  create: 'Create endpoint',
  createTitle: 'Create signal endpoint',
  nameHint: 'Letters, digits, dashes and underscores, such as prometheus',
  invalidName: 'Only letters, digits, dashes and underscores',
  onceTitle: 'Signal endpoint created',
  onceText: 'Copy the configuration with its token now. You won’t see the token again.',
  config: 'Configuration of Alertmanager',
  other: 'Request of another system',
  done: 'Done',
  lastUsed: 'Last signal',
  trusts: 'What it may do',
  mayTrip: 'Trip safeguards with an alert as their source, in all projects. It cannot read or change anything else.',
  restrict: 'The labels burgee_flag and burgee_environment restrict an alert to one flag and environment.',
  remove: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete signal endpoint ${name}?`,
  removeText: 'Its token is rejected immediately. Safeguards that wait for its alerts no longer trip.',
  removed: (name: string) => `Deleted signal endpoint ${name}`,
  empty: 'No signal endpoints',
  emptyText: 'Create one to let alerts of Prometheus, Grafana or your own scripts pause a release plan.',
  message: 'Too many failed requests',
}

const de: typeof en = {
  title: 'Signal-Endpunkte',
  intro:
    'Adressen, an denen Prometheus Alertmanager und andere Systeme Alarme melden. Ein Alarm löst die Schutzregeln aus, die auf seinen Namen warten.',
  create: 'Endpunkt erstellen',
  createTitle: 'Signal-Endpunkt erstellen',
  nameHint: 'Buchstaben, Ziffern, Binde- und Unterstriche, zum Beispiel prometheus',
  invalidName: 'Nur Buchstaben, Ziffern, Binde- und Unterstriche',
  onceTitle: 'Signal-Endpunkt erstellt',
  onceText: 'Kopieren Sie jetzt die Konfiguration mit dem Token. Das Token wird nicht noch einmal angezeigt.',
  config: 'Konfiguration von Alertmanager',
  other: 'Anfrage eines anderen Systems',
  done: 'Fertig',
  lastUsed: 'Letztes Signal',
  trusts: 'Berechtigungen',
  mayTrip:
    'Schutzregeln auslösen, deren Quelle ein Alarm ist, in allen Projekten. Er kann nichts anderes lesen oder ändern.',
  restrict: 'Die Labels burgee_flag und burgee_environment beschränken einen Alarm auf ein Flag und eine Umgebung.',
  remove: (name) => `${name} löschen`,
  removeTitle: (name) => `Signal-Endpunkt ${name} löschen?`,
  removeText: 'Sein Token wird sofort abgewiesen. Schutzregeln, die auf seine Alarme warten, lösen nicht mehr aus.',
  removed: (name) => `Signal-Endpunkt ${name} gelöscht`,
  empty: 'Keine Signal-Endpunkte',
  emptyText:
    'Erstellen Sie einen, damit Alarme von Prometheus, Grafana oder eigenen Skripten einen Release-Plan anhalten.',
  message: 'Zu viele fehlgeschlagene Anfragen',
}

/** UI strings for signal endpoints. */
export const SIGNAL_TEXTS: Catalogue<typeof en> = { en, de }
