import type { Impact } from '@burgee/protocol/administration/impact'
import type { Catalogue } from '../text/languages.ts'
import type { Effect, ShareChange } from './edit-effect.ts'

/** Formats a number in the user's language. */
type Write = (value: number) => string

const en = {
  label: 'What this changes',
  effect: (effect: Effect, environment: string): string => {
    const { kind, share, end } = effect
    if (kind === 'off') return `The flag is off in ${environment}: no effect until it is turned on.`
    if (share !== undefined) return shareEn(kind, share)
    if (kind !== 'nothing' && end === 'everybody') return 'All users get it.'
    if (kind !== 'nothing' && end === 'nobody') return 'No one gets it anymore.'
    return {
      nothing: 'No change in who gets it.',
      comes: 'Adds users; no one loses it.',
      leaves: 'Removes users; no one new gets it.',
      anew: 'Reshuffles users: some lose it, some get it.',
      mixed: 'Some users may get it, and some may lose it.',
    }[kind]
  },
  variants: 'No change in who gets it, but users may get another variant.',
  figure: (impact: Impact, write: Write): string => {
    const { evaluations, offToOn, onToOff, otherVariant } = impact
    if (evaluations === 0) return 'No evaluations of this flag sampled yet.'
    const total = sumChanges(impact)
    const last = `of the last ${write(evaluations)} evaluations`
    if (total === 0) return `None ${last} would change.`
    const of = (count: number | null, what: string) => `${count === null ? 'a few' : write(count)} ${what}`
    const parts = [
      ...(offToOn === 0 ? [] : [of(offToOn, 'from off to on')]),
      ...(onToOff === 0 ? [] : [of(onToOff, 'from on to off')]),
      ...(otherVariant === 0 ? [] : [of(otherVariant, 'to another variant')]),
    ]
    return `${total === undefined ? 'Some' : write(total)} ${last} would change: ${parts.join(', ')}.`
  },
  seen: (since: string) => `Frontend evaluations seen by this server node since ${since}.`,
  few: '“A few” means fewer than five users; the exact number is not shown.',
  offer:
    'The impact preview shows what a change does for recent traffic. Contexts stay in memory, encrypted, for a day.',
  turnOn: (environment: string) => `Start impact preview for ${environment}`,
}

function shareEn(kind: Effect['kind'], { from, to, isOfSome }: ShareChange): string {
  const range = `${from}% → ${to}%${isOfSome ? ' of users who meet the conditions' : ''}`
  if (kind === 'comes') return `${range}: adds ${to - from}%; no one loses it.`
  if (kind === 'leaves') return `${range}: removes ${from - to}%; no one new gets it.`
  return `${range}, and users are reshuffled.`
}

const de: typeof en = {
  label: 'Auswirkung',
  effect: ({ kind, share, end }, environment) => {
    if (kind === 'off') return `Das Flag ist in ${environment} aus: keine Wirkung, bis es eingeschaltet wird.`
    if (share !== undefined) return shareDe(kind, share)
    if (kind !== 'nothing' && end === 'everybody') return 'Alle Benutzer erhalten es.'
    if (kind !== 'nothing' && end === 'nobody') return 'Niemand erhält es mehr.'
    return {
      nothing: 'Dieselben Benutzer erhalten es weiterhin.',
      comes: 'Benutzer kommen hinzu; niemand verliert es.',
      leaves: 'Benutzer verlieren es; niemand kommt hinzu.',
      anew: 'Benutzer werden neu verteilt: Manche verlieren es, manche erhalten es.',
      mixed: 'Manche Benutzer erhalten es, manche verlieren es vielleicht.',
    }[kind]
  },
  variants: 'Dieselben Benutzer erhalten es weiterhin, aber möglicherweise mit einer anderen Variante.',
  figure: (impact, write) => {
    const { evaluations, offToOn, onToOff, otherVariant } = impact
    if (evaluations === 0) return 'Noch keine Auswertungen dieses Flags in der Stichprobe.'
    const total = sumChanges(impact)
    const last = `der letzten ${write(evaluations)} Auswertungen`
    if (total === 0) return `Keine ${last} würde sich ändern.`
    const of = (count: number | null, what: string) => `${count === null ? 'einige wenige' : write(count)} ${what}`
    const parts = [
      ...(offToOn === 0 ? [] : [of(offToOn, 'von aus auf an')]),
      ...(onToOff === 0 ? [] : [of(onToOff, 'von an auf aus')]),
      ...(otherVariant === 0 ? [] : [of(otherVariant, 'auf eine andere Variante')]),
    ]
    const verb = total === 1 ? 'würde' : 'würden'
    return `${total === undefined ? 'Einige' : write(total)} ${last} ${verb} sich ändern: ${parts.join(', ')}.`
  },
  seen: (since) => `Frontend-Auswertungen, die dieser Serverknoten seit ${since} gesehen hat.`,
  few: '„Einige wenige“ steht für weniger als fünf Benutzer; die genaue Zahl wird nicht angezeigt.',
  offer:
    'Die Wirkungsvorschau zeigt, was eine Änderung für den aktuellen Traffic bewirkt. Kontexte bleiben einen Tag lang verschlüsselt im Arbeitsspeicher.',
  turnOn: (environment) => `Wirkungsvorschau für ${environment} starten`,
}

function shareDe(kind: Effect['kind'], { from, to, isOfSome }: ShareChange): string {
  const range = `${from}\u00a0% → ${to}\u00a0%${isOfSome ? ' der Benutzer, für die die Bedingungen gelten' : ''}`
  if (kind === 'comes') return `${range}: ${to - from}\u00a0% kommen hinzu; niemand verliert es.`
  if (kind === 'leaves') return `${range}: ${from - to}\u00a0% verlieren es; niemand kommt hinzu.`
  return `${range}, und Benutzer werden neu verteilt.`
}

/** Returns the number of changed evaluations as text; undefined if it is too small to be reported. */
function sumChanges({ offToOn, onToOff, otherVariant }: Impact): number | undefined {
  if (offToOn === null || onToOff === null || otherVariant === null) return undefined
  return offToOn + onToOff + otherVariant
}

/** UI strings about the effects of edits. */
export const IMPACT_TEXTS: Catalogue<typeof en> = { en, de }
