import type { Catalogue } from '../../text/languages.ts'

const en = {
  compareEnvironments: 'Compare environments',
  copyOpen: 'Copy strategies from …',
  copyOpenLabel: (environment: string) => `Copy strategies from … to ${environment}`,
  copyTitle: (feature: string, environment: string) => `Copy strategies of ${feature} to ${environment}`,
  dragMove: (place: number) => `Strategy ${place}: drag to move`,
  dragCopy: (place: number) => `Strategy ${place}: drag to another environment to copy`,
  dragBoth: (place: number) => `Strategy ${place}: drag to move, or to another environment to copy`,
  copyTo: (environment: string) => `Copy to ${environment}`,
  copyLabel: (place: number, environment: string) => `Copy to ${environment}: strategy ${place}`,
  repeated: 'Strategy copied to the end of the list',
  copiedOn: (environment: string) =>
    `Strategy copied to ${environment}. The flag is on there, so users it matches get the flag.`,
  copiedOff: (environment: string) =>
    `Strategy copied to ${environment}. The flag is off there, so no one gets it yet.`,
  copiedDisabled: (environment: string) =>
    `Strategy copied to ${environment} as disabled. It matches no one until you enable it.`,
}

const de: typeof en = {
  compareEnvironments: 'Umgebungen vergleichen',
  copyOpen: 'Strategien kopieren von …',
  copyOpenLabel: (environment) => `Strategien kopieren von … nach ${environment}`,
  copyTitle: (feature, environment) => `Strategien von ${feature} nach ${environment} kopieren`,
  dragMove: (place) => `Strategie ${place}: zum Verschieben ziehen`,
  dragCopy: (place) => `Strategie ${place}: zum Kopieren in eine andere Umgebung ziehen`,
  dragBoth: (place) => `Strategie ${place}: zum Verschieben ziehen, zum Kopieren in eine andere Umgebung`,
  copyTo: (environment) => `Nach ${environment} kopieren`,
  copyLabel: (place, environment) => `Nach ${environment} kopieren: Strategie ${place}`,
  repeated: 'Strategie ans Ende der Liste kopiert',
  copiedOn: (environment) =>
    `Strategie nach ${environment} kopiert. Das Flag ist dort an; passende Benutzer erhalten es.`,
  copiedOff: (environment) => `Strategie nach ${environment} kopiert. Das Flag ist dort aus; noch erhält es niemand.`,
  copiedDisabled: (environment) =>
    `Strategie deaktiviert nach ${environment} kopiert. Sie passt auf niemanden, bis Sie sie aktivieren.`,
}

/** UI strings for comparing environments of a flag, and for copying strategies. */
export const COPYING_TEXTS: Catalogue<typeof en> = { en, de }
