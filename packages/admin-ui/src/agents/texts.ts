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
    'Coding-Agenten lesen und ändern Flags über das Model Context Protocol, innerhalb der Grenzen auf dieser Seite.',
  connect: 'Agenten verbinden',
  connectText:
    'Ersetzen Sie TOKEN durch ein persönliches Token aus Ihrem Profil oder durch das Token eines Dienstkontos.',
  clients: { claude: 'Claude Code', cursor: 'Cursor (.cursor/mcp.json)', vscode: 'VS Code', codex: 'Codex' },
  limits: 'Was Agenten dürfen',
  limitsText: (writes) =>
    `Vorschläge sind Änderungsanträge, die ein Mensch prüft. Ein Token kann ${writes} Änderungen pro Stunde machen.`,
  limitOf: (environment) => `Was Agenten in ${environment} dürfen`,
  access: { read: 'Nur lesen', propose: 'Änderungen vorschlagen', write: 'Änderungen machen' },
  accessHeading: 'Agenten dürfen',
  byDefault: 'Standard',
  saved: (environment) => `Grenze für ${environment} gespeichert`,
  restored: (environment) => `Grenze für ${environment} wiederhergestellt`,
  writes: 'Was Agenten getan haben',
  all: 'Alle Ereignisse von Agenten',
  none: 'Agenten haben noch nichts geändert.',
  when: 'Wann',
  token: 'Token',
  what: 'Werkzeug',
  where: 'Flag',
  outcome: 'Ergebnis',
  outcomes: { applied: 'Angewendet', proposed: 'Vorgeschlagen' },
  program: 'Programm',
  deletedToken: 'gelöschtes Token',
}

/** Texts of the page of agents. */
export const AGENT_TEXTS: Catalogue<typeof en> = { en, de }
