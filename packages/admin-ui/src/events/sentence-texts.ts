import type { Catalogue } from '../text/languages.ts'
import { RUNS_DE, SENTENCES_DE, SETTINGS_DE } from './sentence-texts.de.ts'
import { RUNS_EN, SENTENCES_EN, SETTINGS_EN } from './sentence-texts.en.ts'

const en = {
  sentences: { ...SENTENCES_EN, ...toSentences(SETTINGS_EN) } as Readonly<Record<string, string>>,
  runs: RUNS_EN as Readonly<Record<string, string>>,
  anyRun: 'made {count} changes: {label}[, {flag}][ in {environment}]',
  other: 'made a change: {label}[, {flag}][, {name}][ in {environment}]',
  user: (id: string) => `user ${id}`,
  untitled: (id: string) => `Change request ${id}`,
  today: 'Today',
  yesterday: 'Yesterday',
  details: (sentence: string) => `Details: ${sentence}`,
  fold: (isOpen: boolean): string => (isOpen ? 'Hide single events' : 'Show single events'),
  person: 'Person',
  anyPerson: 'Anyone',
  allFields: 'All fields',
  noDifference: 'This event has no further details.',
  type: 'Event type',
}

const de: typeof en = {
  sentences: { ...SENTENCES_DE, ...toSentences(SETTINGS_DE) },
  runs: RUNS_DE,
  anyRun: 'hat {count} Änderungen vorgenommen: {label}[, {flag}][ in {environment}]',
  other: 'hat eine Änderung vorgenommen: {label}[, {flag}][, {name}][ in {environment}]',
  user: (id) => `Benutzer ${id}`,
  untitled: (id) => `Änderungsantrag ${id}`,
  today: 'Heute',
  yesterday: 'Gestern',
  details: (sentence) => `Details: ${sentence}`,
  fold: (isOpen) => (isOpen ? 'Einzelne Ereignisse ausblenden' : 'Einzelne Ereignisse anzeigen'),
  person: 'Person',
  anyPerson: 'Alle',
  allFields: 'Alle Felder',
  noDifference: 'Dieses Ereignis hat keine weiteren Details.',
  type: 'Ereignistyp',
}

/** Returns the sentences about settings as cases of the two event types for settings. */
function toSentences(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, text]) => [
      [`setting-created:${key}`, text],
      [`setting-updated:${key}`, text],
    ]),
  )
}

/** UI strings for the rows of the event log. */
export const SENTENCE_TEXTS: Catalogue<typeof en> = { en, de }
