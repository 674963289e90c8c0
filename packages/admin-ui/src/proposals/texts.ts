import type { Catalogue } from '../text/languages.ts'

const en = {
  added: (environment: string, count: number) =>
    count === 1 ? `Added to your draft for ${environment}` : `${count} changes added to your draft for ${environment}`,
  look: 'Review',
  action: 'Add to draft',
  guarded: 'Change requests',
  guardedHint: (environment: string) =>
    `${environment} takes changes only through change requests: others approve them first.`,
  banner: (environment: string) =>
    `${environment} takes changes through change requests: this goes into your draft, and nothing changes yet.`,
  waits: (title: string, state: string) => `${title} (${state})`,
  waiting: 'Waiting here:',
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
  saveText: (sentence: string) => `Real users get it within seconds: ${sentence}`,
  skipTitle: 'Skip change requests?',
  skipText: (environments: string) =>
    `This skips change requests: in ${environments} others approve changes first, and this takes effect without their approval.`,
  skipRefused: (environments: string) =>
    `Changes to ${environments} need approval first, and this cannot be put into a draft here: propose it through the API, or ask somebody who may change it without a change request.`,
  drafts: 'Your drafts',
  draft: (environment: string, count: number) =>
    `Your draft for ${environment} has ${count === 1 ? '1 change' : `${count} changes`}.`,
  open: 'Review and send',
}

const de: typeof en = {
  added: (environment, count) =>
    count === 1
      ? `In Ihren Entwurf für ${environment} aufgenommen`
      : `${count} Änderungen in Ihren Entwurf für ${environment} aufgenommen`,
  look: 'Ansehen',
  action: 'In den Entwurf',
  guarded: 'Änderungsanträge',
  guardedHint: (environment) =>
    `${environment} nimmt Änderungen nur über Änderungsanträge an: andere geben sie zuerst frei.`,
  banner: (environment) =>
    `${environment} nimmt Änderungen über Änderungsanträge an: dies kommt in Ihren Entwurf, noch ändert sich nichts.`,
  waits: (title, state) => `${title} (${state})`,
  waiting: 'Hier wartet:',
  states: {
    Draft: 'Entwurf',
    'In review': 'in Prüfung',
    Approved: 'freigegeben',
    Applied: 'angewandt',
    Cancelled: 'zurückgezogen',
    Rejected: 'abgelehnt',
    Scheduled: 'terminiert',
  },
  saveTitle: (flag, environment) => `${flag} in ${environment} speichern?`,
  saveText: (sentence) => `Echte Benutzer bekommen es binnen Sekunden: ${sentence}`,
  skipTitle: 'Änderungsanträge übergehen?',
  skipText: (environments) =>
    `Dies übergeht Änderungsanträge: in ${environments} geben andere Änderungen zuerst frei, und dies wirkt ohne das.`,
  skipRefused: (environments) =>
    `Änderungen an ${environments} werden zuerst freigegeben, und hier wird daraus kein Entwurf: schlagen Sie es über die API vor, oder bitten Sie jemanden, der ohne Änderungsantrag ändern darf.`,
  drafts: 'Ihre Entwürfe',
  draft: (environment, count) =>
    `Ihr Entwurf für ${environment} enthält ${count === 1 ? '1 Änderung' : `${count} Änderungen`}.`,
  open: 'Ansehen und senden',
}

/** UI texts about change requests on the flag pages. */
export const PROPOSAL_TEXTS: Catalogue<typeof en> = { en, de }
