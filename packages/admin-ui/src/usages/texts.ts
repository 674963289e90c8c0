import { COUNTS } from '../text/counts.ts'
import type { Catalogue } from '../text/languages.ts'

const en = {
  uses: {
    usedBy: 'Used by',
    nothing: 'nothing',
    flags: (count: number) => (count === 1 ? '1 flag' : `${count} flags`),
    show: (count: string, name: string) => `What uses ${name}: ${count}`,
    title: (name: string) => `What uses ${name}`,
    list: (name: string) => `Strategies that use ${name}`,
    keeps: 'It can be removed once none of these uses it.',
    segments: (names: string) => `Segments that read it: ${names}.`,
    strategy: (feature: string, environment: string) => `Strategy of ${feature} in ${environment}`,
    rest: (count: number) => `Show ${count} more`,
    reaches: (flags: string, environments: string) => `A change takes effect at once in ${flags}, in ${environments}.`,
    reachesNone: 'No flag uses it yet, so a change affects nothing.',
  },
}

const de: typeof en = {
  uses: {
    usedBy: 'Benutzt von',
    nothing: 'nichts',
    flags: COUNTS.de.flagsDative,
    show: (count, name) => `Was ${name} benutzt: ${count}`,
    title: (name) => `Was ${name} benutzt`,
    list: (name) => `Strategien, die ${name} benutzen`,
    keeps: 'Es kann entfernt werden, sobald nichts davon es mehr benutzt.',
    segments: (names) => `Segmente, die es lesen: ${names}.`,
    strategy: (feature, environment) => `Strategie von ${feature} in ${environment}`,
    rest: (count) => `${count} weitere zeigen`,
    reaches: (count, environments) => `Eine Änderung wirkt sofort in ${count}, in ${environments}.`,
    reachesNone: 'Noch benutzt es kein Schalter: eine Änderung wirkt nirgends.',
  },
}

/** UI texts about the usages of segments, context fields and strategy types. */
export const USAGE_TEXTS: Catalogue<typeof en> = { en, de }
