import type { Catalogue } from '../../text/languages.ts'

const en = {
  effects: 'What follows',
  nobody: (parent: string, state: string, environment: string, child: string) =>
    `${parent} is ${state} in ${environment}: ${child} will be off there for everybody.`,
  some: (parent: string, must: string, environment: string, child: string) =>
    `In ${environment}, ${child} will be on only for users for whom ${parent} is ${must}.`,
  opens: (environment: string, child: string) =>
    `In ${environment}, ${child} will be on for everybody whom its own strategies let in.`,
  on: 'on',
  off: 'off',
  archived: 'archived',
  confirmSet: (child: string, parent: string) => `Make ${child} depend on ${parent}?`,
  confirmRemove: (child: string, parent: string) => `Let ${child} depend on ${parent} no longer?`,
  confirmText: (environments: string) => `Real users get it at once in ${environments}.`,
  set: 'Save the dependency',
  remove: 'Remove the dependency',
  offForAll: 'Off for everybody:',
  isHere: (state: string) => `is ${state} here`,
}

const de: typeof en = {
  effects: 'Was daraus folgt',
  nobody: (parent, state, environment, child) =>
    `${parent} ist in ${environment} ${state}: ${child} ist dort dann für alle aus.`,
  some: (parent, must, environment, child) =>
    `In ${environment} ist ${child} dann nur für die an, für die ${parent} so ist: ${must}.`,
  opens: (environment, child) =>
    `In ${environment} ist ${child} dann für alle an, die seine eigenen Strategien einlassen.`,
  on: 'an',
  off: 'aus',
  archived: 'archiviert',
  confirmSet: (child, parent) => `${child} von ${parent} abhängig machen?`,
  confirmRemove: (child, parent) => `${child} nicht mehr von ${parent} abhängen lassen?`,
  confirmText: (environments) => `Echte Benutzer bekommen das sofort, in ${environments}.`,
  set: 'Abhängigkeit speichern',
  remove: 'Abhängigkeit wegnehmen',
  offForAll: 'Für alle aus:',
  isHere: (state) => `ist hier ${state}`,
}

/** UI texts about the effects of dependencies. */
export const DEPENDENCY_TEXTS: Catalogue<typeof en> = { en, de }
