import type { Catalogue } from '../text/languages.ts'

const en = {
  added: (environment: string, count: number) =>
    count === 1 ? `Added to your draft for ${environment}` : `${count} changes added to your draft for ${environment}`,
  nothingToPropose: (environment: string) => `Nothing to propose: ${environment} is already in this state.`,
  look: 'Review',
  action: 'Add to draft',
  guarded: 'Needs approval',
  guardedHint: (environment: string) => `Changes in ${environment} need approval.`,
  banner: (environment: string) => `Changes in ${environment} need approval. Saving adds this to your draft.`,
  sharedBanner: (environment: string) =>
    `This affects all environments and needs approval. It is added to your draft for ${environment}.`,
  waits: (title: string, state: string) => `${title} (${state})`,
  waiting: 'Pending here:',
  states: {
    Draft: 'draft',
    'In review': 'in review',
    Approved: 'approved',
    Applied: 'applied',
    Cancelled: 'cancelled',
    Rejected: 'rejected',
    Scheduled: 'scheduled',
  } as Readonly<Record<string, string>>,
  saveTitle: (flag: string, environment: string) => `Save ${flag} in ${environment}?`,
  saveText: (sentence: string) => `Goes live within seconds: ${sentence}`,
  skipTitle: 'Bypass approval?',
  skipText: (environments: string) => `This goes live in ${environments} without review, and is logged.`,
  skipRefused: (environments: string) =>
    `Changes in ${environments} need approval, and this change cannot be added to a draft here. Propose it through the API, or ask someone who can bypass approval.`,
  drafts: 'Your drafts',
  draftOf: (flag: string, environment: string) => `Your draft for ${flag} in ${environment}`,
  drafted: 'Draft',
  inDraft: (count: number) => (count === 1 ? '1 change in your draft' : `${count} changes in your draft`),
  switchInDraft: (from: string, to: string, more: number) =>
    more === 0 ? `${from} → ${to} in your draft` : `${from} → ${to} and ${more} more in your draft`,
  discardDraft: 'Discard',
  draftDiscarded: 'Draft changes discarded',
  draft: (environment: string, count: number) =>
    `${count === 1 ? '1 unsent change' : `${count} unsent changes`} for ${environment}`,
  open: 'Review',
}

const de: typeof en = {
  added: (environment, count) =>
    count === 1
      ? `Zu Ihrem Entwurf für ${environment} hinzugefügt`
      : `${count} Änderungen zu Ihrem Entwurf für ${environment} hinzugefügt`,
  nothingToPropose: (environment) => `Nichts vorzuschlagen: ${environment} ist bereits in diesem Zustand.`,
  look: 'Prüfen',
  action: 'Zum Entwurf hinzufügen',
  guarded: 'Braucht Freigabe',
  guardedHint: (environment) => `Änderungen in ${environment} brauchen eine Freigabe.`,
  banner: (environment) =>
    `Änderungen in ${environment} brauchen eine Freigabe. Speichern fügt sie Ihrem Entwurf hinzu.`,
  sharedBanner: (environment) =>
    `Dies betrifft alle Umgebungen und braucht eine Freigabe. Es wird Ihrem Entwurf für ${environment} hinzugefügt.`,
  waits: (title, state) => `${title} (${state})`,
  waiting: 'Hier ausstehend:',
  states: {
    Draft: 'Entwurf',
    'In review': 'in Prüfung',
    Approved: 'freigegeben',
    Applied: 'angewandt',
    Cancelled: 'zurückgezogen',
    Rejected: 'abgelehnt',
    Scheduled: 'geplant',
  },
  saveTitle: (flag, environment) => `${flag} in ${environment} speichern?`,
  saveText: (sentence) => `Wird innerhalb von Sekunden wirksam: ${sentence}`,
  skipTitle: 'Freigabe umgehen?',
  skipText: (environments) => `Dies wird in ${environments} ohne Prüfung wirksam und protokolliert.`,
  skipRefused: (environments) =>
    `Änderungen in ${environments} brauchen eine Freigabe, und diese Änderung kann hier keinem Entwurf hinzugefügt werden. Schlagen Sie sie über die API vor oder bitten Sie jemanden, der die Freigabe umgehen darf.`,
  drafts: 'Ihre Entwürfe',
  draftOf: (flag, environment) => `Ihr Entwurf für ${flag} in ${environment}`,
  drafted: 'Entwurf',
  inDraft: (count) => (count === 1 ? '1 Änderung in Ihrem Entwurf' : `${count} Änderungen in Ihrem Entwurf`),
  switchInDraft: (from, to, more) =>
    more === 0 ? `${from} → ${to} in Ihrem Entwurf` : `${from} → ${to} und ${more} weitere in Ihrem Entwurf`,
  discardDraft: 'Verwerfen',
  draftDiscarded: 'Änderungen im Entwurf verworfen',
  draft: (environment, count) =>
    `${count === 1 ? '1 nicht eingereichte Änderung' : `${count} nicht eingereichte Änderungen`} für ${environment}`,
  open: 'Prüfen',
}

/** UI strings about change requests, for the flag pages. */
export const PROPOSAL_TEXTS: Catalogue<typeof en> = { en, de }
