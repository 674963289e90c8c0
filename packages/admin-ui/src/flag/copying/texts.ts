import type { Catalogue } from '../../text/languages.ts'

const en = {
  elsewhere: (place: number) => `Copy strategy ${place} to another environment`,
  dragMove: (place: number) => `Strategy ${place}: drag to move`,
  dragCopy: (place: number) => `Strategy ${place}: drag to another environment to copy`,
  dragBoth: (place: number) => `Strategy ${place}: drag to move, or to another environment to copy`,
  copyTo: (environment: string) => `Copy to ${environment}`,
  copyLabel: (place: number, environment: string) => `Copy to ${environment}: strategy ${place}`,
  repeated: 'A copy of the strategy is at the end',
  copiedOn: (environment: string) =>
    `The copy is at the end in ${environment}, where the flag is on: whoever it lets in gets the flag.`,
  copiedOff: (environment: string) =>
    `The copy is at the end in ${environment}, where the flag is off: nobody gets it until it is turned on.`,
  copiedDisabled: (environment: string) =>
    `The copy is at the end in ${environment}, disabled: it lets nobody in until it is enabled.`,
}

const de: typeof en = {
  elsewhere: (place) => `Strategie ${place} in eine andere Umgebung kopieren`,
  dragMove: (place) => `Strategie ${place}: ziehen zum Verschieben`,
  dragCopy: (place) => `Strategie ${place}: in eine andere Umgebung ziehen zum Kopieren`,
  dragBoth: (place) => `Strategie ${place}: ziehen zum Verschieben, in eine andere Umgebung zum Kopieren`,
  copyTo: (environment) => `Nach ${environment} kopieren`,
  copyLabel: (place, environment) => `Nach ${environment} kopieren: Strategie ${place}`,
  repeated: 'Eine Kopie der Strategie steht am Ende',
  copiedOn: (environment) =>
    `Die Kopie steht am Ende in ${environment}. Dort ist der Schalter an: wen sie einlässt, der bekommt ihn.`,
  copiedOff: (environment) =>
    `Die Kopie steht am Ende in ${environment}. Dort ist der Schalter aus: niemand bekommt ihn, bis er eingeschaltet wird.`,
  copiedDisabled: (environment) =>
    `Die Kopie steht am Ende in ${environment}, abgeschaltet: sie lässt niemanden ein, bis sie eingeschaltet wird.`,
}

/** UI texts for copying strategies. */
export const COPYING_TEXTS: Catalogue<typeof en> = { en, de }
