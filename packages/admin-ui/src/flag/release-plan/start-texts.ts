import type { Catalogue } from '../../text/languages.ts'

const en = {
  start: 'Start release plan',
  startIn: (environment: string) => `Start release plan in ${environment}`,
}

const de: typeof en = {
  start: 'Release-Plan starten',
  startIn: (environment) => `Release-Plan starten in ${environment}`,
}

/** UI strings for the button that starts a release plan, separate from the UI strings that are loaded with a plan. */
export const START_PLAN_TEXTS: Catalogue<typeof en> = { en, de }
