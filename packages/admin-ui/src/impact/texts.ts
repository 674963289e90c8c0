import type { Impact } from '@burgee/protocol/administration/impact'
import type { Catalogue } from '../text/languages.ts'
import type { Effect, ShareChange } from './edit-effect.ts'

/** Formats a number in the user's language. */
type Write = (value: number) => string

const en = {
  label: 'What this changes',
  effect: (effect: Effect, environment: string): string => {
    const { kind, share, end } = effect
    if (kind === 'off') return `The flag is off in ${environment}: nothing changes until it is turned on.`
    if (share !== undefined) return shareEn(kind, share)
    if (kind !== 'nothing' && end === 'everybody') return 'Everybody is in.'
    if (kind !== 'nothing' && end === 'nobody') return 'Nobody is in any longer.'
    return {
      nothing: 'The same people are in as before.',
      comes: 'Everybody who is in stays in; others may come in.',
      leaves: 'Nobody new comes in; some who are in may drop out.',
      anew: 'Everybody is drawn anew: those who are in may drop out, and the other way round.',
      mixed: 'Some may come in, and some who are in may drop out.',
    }[kind]
  },
  variants: 'Nobody comes in or drops out; those who are in may get another variant.',
  figure: (impact: Impact, write: Write): string => {
    const { evaluations, offToOn, onToOff, otherVariant } = impact
    if (evaluations === 0) return 'No evaluation of this flag has been seen yet.'
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
  seen: (since: string) => `Front ends that this server node has seen since ${since}.`,
  few: '“A few” stands for fewer than five people, whose number is not shown.',
  sample: 'Show what it changes for recent traffic',
}

function shareEn(kind: Effect['kind'], { from, to, isOfSome }: ShareChange): string {
  const range = `${from} % → ${to} %${isOfSome ? ' of those who meet the conditions' : ''}`
  if (kind === 'comes') return `${range}: everybody who is in stays in, another ${to - from} % come in.`
  if (kind === 'leaves') return `${range}: nobody new comes in, ${from - to} % drop out.`
  return `${range}, and everybody is drawn anew.`
}

const de: typeof en = {
  label: 'Was sich ändert',
  effect: ({ kind, share, end }, environment) => {
    if (kind === 'off') return `Der Schalter ist in ${environment} aus: Bis er angeschaltet wird, ändert sich nichts.`
    if (share !== undefined) return shareDe(kind, share)
    if (kind !== 'nothing' && end === 'everybody') return 'Alle sind drin.'
    if (kind !== 'nothing' && end === 'nobody') return 'Niemand ist mehr drin.'
    return {
      nothing: 'Dieselben Benutzer bekommen ihn wie bisher.',
      comes: 'Wer drin ist, bleibt drin; andere können dazukommen.',
      leaves: 'Niemand kommt dazu; manche können herausfallen.',
      anew: 'Alle werden neu ausgelost: Wer drin ist, kann draußen sein, und umgekehrt.',
      mixed: 'Manche können dazukommen, und manche, die drin sind, herausfallen.',
    }[kind]
  },
  variants: 'Niemand kommt dazu oder fällt heraus; wer drin ist, kann eine andere Variante bekommen.',
  figure: (impact, write) => {
    const { evaluations, offToOn, onToOff, otherVariant } = impact
    if (evaluations === 0) return 'Noch wurde keine Auswertung dieses Schalters gesehen.'
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
  seen: (since) => `Frontends, die dieser Serverknoten seit ${since} gesehen hat.`,
  few: 'Einige wenige: von weniger als fünf Personen, die nicht ausgezählt werden.',
  sample: 'Zeigen, was sich für den Verkehr der letzten Zeit ändert',
}

function shareDe(kind: Effect['kind'], { from, to, isOfSome }: ShareChange): string {
  const range = `${from} % → ${to} %${isOfSome ? ' derer, für die die Bedingungen gelten' : ''}`
  if (kind === 'comes') return `${range}: Wer drin ist, bleibt drin, weitere ${to - from} % kommen dazu.`
  if (kind === 'leaves') return `${range}: Niemand kommt dazu, ${from - to} % fallen heraus.`
  return `${range}, und alle werden neu ausgelost.`
}

/** Returns the number of changed evaluations; undefined if some are too few to be counted. */
function sumChanges({ offToOn, onToOff, otherVariant }: Impact): number | undefined {
  if (offToOn === null || onToOff === null || otherVariant === null) return undefined
  return offToOn + onToOff + otherVariant
}

/** UI texts about the effects of edits. */
export const IMPACT_TEXTS: Catalogue<typeof en> = { en, de }
