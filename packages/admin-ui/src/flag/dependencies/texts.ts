import type { Catalogue } from '../../text/languages.ts'

const en = {
  effects: 'Effect',
  nobody: (parent: string, state: string, environment: string, child: string) =>
    `${parent} is ${state} in ${environment}: ${child} will be off there for all users.`,
  some: (parent: string, must: string, environment: string, child: string) =>
    `In ${environment}, ${child} will be on only for users for whom ${parent} is ${must}.`,
  opens: (environment: string, child: string) =>
    `In ${environment}, ${child} will be on for all users that its own strategies match.`,
  on: 'on',
  off: 'off',
  archived: 'archived',
  confirmSet: (child: string, parent: string) => `Make ${child} depend on ${parent}?`,
  confirmRemove: (child: string, parent: string) => `Remove the dependency of ${child} on ${parent}?`,
  confirmText: (environments: string) => `Takes effect immediately in ${environments}.`,
  set: 'Save dependency',
  remove: 'Remove dependency',
  offForAll: 'Off for all users:',
  isHere: (state: string) => `is ${state} here`,
}

const de: typeof en = {
  effects: 'Auswirkung',
  nobody: (parent, state, environment, child) =>
    `${parent} ist in ${environment} ${state}: ${child} ist dort dann für alle Benutzer aus.`,
  some: (parent, must, environment, child) =>
    `In ${environment} ist ${child} dann nur für Benutzer an, für die gilt: ${parent} ist ${must}.`,
  opens: (environment, child) =>
    `In ${environment} ist ${child} dann für alle Benutzer an, auf die seine eigenen Strategien passen.`,
  on: 'an',
  off: 'aus',
  archived: 'archiviert',
  confirmSet: (child, parent) => `${child} von ${parent} abhängig machen?`,
  confirmRemove: (child, parent) => `Abhängigkeit des Flags ${child} von ${parent} entfernen?`,
  confirmText: (environments) => `Wird in ${environments} sofort wirksam.`,
  set: 'Abhängigkeit speichern',
  remove: 'Abhängigkeit entfernen',
  offForAll: 'Für alle Benutzer aus:',
  isHere: (state) => `ist hier ${state}`,
}

/** UI strings about the effects of dependencies. */
export const DEPENDENCY_TEXTS: Catalogue<typeof en> = { en, de }
