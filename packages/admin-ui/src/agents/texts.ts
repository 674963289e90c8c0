import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Agents',
  intro: 'Coding agents read and change flags through the Model Context Protocol, within the limits below.',
  connect: 'Connect an agent',
  connectText: 'Replace TOKEN with a personal token from your profile, or with a token of a service account.',
  clients: { claude: 'Claude Code', cursor: 'Cursor (.cursor/mcp.json)', vscode: 'VS Code', codex: 'Codex' },
  limits: 'What agents may do',
  limitsText: (writes: string) =>
    `Proposals are change requests that a person reviews. A token can make ${writes} changes per hour.`,
  limitOf: (environment: string) => `What agents may do in ${environment}`,
  access: { read: 'Only read', propose: 'Propose changes', write: 'Make changes' },
  accessHeading: 'Agents may',
  byDefault: 'default',
  saved: (environment: string) => `Limit for ${environment} saved`,
  restored: (environment: string) => `Limit for ${environment} restored`,
  writes: 'What agents did',
  all: 'All events of agents',
  none: 'Agents have not changed anything yet.',
  when: 'When',
  token: 'Token',
  what: 'Tool',
  where: 'Flag',
  outcome: 'Result',
  outcomes: { applied: 'Applied', proposed: 'Proposed' },
  program: 'Program',
  deletedToken: 'deleted token',
}

const de: typeof en = {
  title: 'Agenten',
  intro:
    'Coding-Agenten lesen und ändern Flags über das Model Context Protocol, innerhalb der unten festgelegten Limits.',
  connect: 'Agenten verbinden',
  connectText:
    'Ersetzen Sie TOKEN durch ein persönliches Token aus Ihrem Profil oder durch ein Token eines Dienstkontos.',
  clients: { claude: 'Claude Code', cursor: 'Cursor (.cursor/mcp.json)', vscode: 'VS Code', codex: 'Codex' },
  limits: 'Rechte von Agenten',
  limitsText: (writes) =>
    `Vorschläge sind Änderungsanträge, die eine Person prüft. Ein Token kann ${writes} Änderungen pro Stunde vornehmen.`,
  limitOf: (environment) => `Rechte von Agenten in ${environment}`,
  access: { read: 'Nur lesen', propose: 'Änderungen vorschlagen', write: 'Änderungen vornehmen' },
  accessHeading: 'Agenten dürfen',
  byDefault: 'Standard',
  saved: (environment) => `Limit für ${environment} gespeichert`,
  restored: (environment) => `Limit für ${environment} wiederhergestellt`,
  writes: 'Aktivität der Agenten',
  all: 'Alle Ereignisse von Agenten',
  none: 'Agenten haben noch nichts geändert.',
  when: 'Zeitpunkt',
  token: 'Token',
  what: 'Tool',
  where: 'Flag',
  outcome: 'Ergebnis',
  outcomes: { applied: 'Angewandt', proposed: 'Vorgeschlagen' },
  program: 'Programm',
  deletedToken: 'gelöschtes Token',
}

/** UI strings for the agents page. */
export const AGENT_TEXTS: Catalogue<typeof en> = { en, de }
