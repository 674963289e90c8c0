import { COUNTS } from '../text/counts.ts'
import type { Catalogue } from '../text/languages.ts'

const en = {
  uses: {
    usedBy: 'Used by',
    nothing: 'nothing',
    flags: (count: number) => (count === 1 ? '1 flag' : `${count} flags`),
    segmentCount: (count: number) => (count === 1 ? '1 segment' : `${count} segments`),
    show: (count: string, name: string) => `Usages of ${name}: ${count}`,
    title: (name: string) => `Usages of ${name}`,
    list: (name: string) => `Strategies that use ${name}`,
    keeps: 'You can delete it once none of these uses it.',
    segments: (names: string) => `Segments that use it: ${names}.`,
    strategy: (feature: string, environment: string) => `Strategy of ${feature} in ${environment}`,
    rest: (count: number) => `Show ${count} more`,
    reaches: (flags: string, environments: string) =>
      `A change takes effect immediately in ${flags}, in ${environments}.`,
    reachesNone: 'No flag uses it yet, so a change has no effect.',
  },
}

const de: typeof en = {
  uses: {
    usedBy: 'Verwendet von',
    nothing: 'nichts',
    flags: COUNTS.de.flagsDative,
    segmentCount: (count) => (count === 1 ? '1 Segment' : `${count} Segmente`),
    show: (count, name) => `Verwendungen von ${name}: ${count}`,
    title: (name) => `Verwendungen von ${name}`,
    list: (name) => `Strategien, die ${name} verwenden`,
    keeps: 'Sie können es löschen, sobald nichts davon es mehr verwendet.',
    segments: (names) => `Segmente, die es verwenden: ${names}.`,
    strategy: (feature, environment) => `Strategie von ${feature} in ${environment}`,
    rest: (count) => `${count} weitere anzeigen`,
    reaches: (count, environments) => `Eine Änderung wird sofort wirksam, in ${count}, in ${environments}.`,
    reachesNone: 'Noch kein Flag verwendet es; eine Änderung hat keine Wirkung.',
  },
}

/** UI strings about the usages of segments, context fields and strategy types. */
export const USAGE_TEXTS: Catalogue<typeof en> = { en, de }
