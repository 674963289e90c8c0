import type { PaletteTexts } from './en-palette.ts'

/** Texts of the palette, in German. */
export const dePalette: PaletteTexts = {
  placeholder: 'Schalter oder Seite suchen oder etwas tun …',
  nothing: 'Nichts gefunden',
  pages: 'Seiten',
  flags: 'Schalter',
  actions: 'Aktionen',
  create: 'Schalter anlegen',
  light: 'Helle Farben',
  dark: 'Dunkle Farben',
  turnOn: (flag, environment) => `${flag} in ${environment} einschalten`,
  turnOff: (flag, environment) => `${flag} in ${environment} ausschalten`,
  copyName: (flag) => `Den Namen ${flag} kopieren`,
  createSegment: 'Segment anlegen',
  createToken: 'API-Token anlegen',
  auto: 'Farben wie das System',
  contrastOn: 'Hoher Kontrast: an',
  contrastOff: 'Hoher Kontrast: aus',
  keys: 'Tasten zeigen',
  language: (name) => `Sprache: ${name}`,
  project: (name) => `Zum Projekt ${name}`,
  segment: (name) => `Segment ${name}`,
  inProject: (name) => `in ${name}`,
  why: (flag) => `Die Spielwiese nach ${flag} fragen`,
}
