import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Connect an SDK',
  intro: 'Choose a language, create a token, paste the code, and see your application connect.',
  which: 'Language or framework',
  sdk: 'SDK',
  groups: { servers: 'Servers', web: 'Web pages', phones: 'Phones' },
  kinds: {
    client: 'Downloads all rules and evaluates locally. Keep its token secret.',
    frontend: 'Receives results only. Its token may be public.',
  },
  where: 'Project and environment',
  appName: 'Application name',
  make: 'Create token',
  made: 'Token created and added to the code below. You won’t see it again.',
  pasted: 'Token added to the code below.',
  another: 'Use another token',
  orPaste: 'Paste a token',
  pasteLabel: 'Token',
  pasteHint: 'An existing token',
  use: 'Use token',
  mayNot: {
    client:
      'You don’t have permission to create server tokens in this project. Ask an administrator or a project owner for one, and paste it here.',
    frontend:
      'You don’t have permission to create frontend tokens in this project. Ask an administrator or a project owner for one, and paste it here.',
  },
  code: 'Add the code',
  flag: 'Flag in the code',
  flagHint: 'Newest first; type to search the project',
  noFlagFound: 'No matching flags',
  noFlagsYet: 'The project has no flags yet, so the code asks for one that does not exist.',
  install: 'Install',
  file: (name: string) => `Save as ${name}`,
  codeLabel: 'Code',
  noTokenYet: 'Create a token above to complete the code.',
  alsoServer: 'The server side needs its own client token.',
  start: 'Start your application',
  waitsForToken: 'This page waits for the first request once there is a token.',
  waiting: 'Waiting for the first request …',
  waitingText: 'Start your application now. This page updates automatically.',
  inUse: (app: string, ago: string) =>
    `This token is in use: last by ${app}, ${ago}. The next request may take a minute to show here.`,
  someone: 'an unnamed application',
  slow: 'Nothing yet? Check:',
  checks: {
    runs: 'Is it running, and does its log mention flags?',
    asks: 'Does it start the SDK? Some request flags only after start() is called.',
    reaches: (address: string) => `Can it reach ${address} from where it runs?`,
    local:
      'In a container or on a phone, localhost is the container or phone itself: use an address that it can reach.',
    whole: 'Is the token complete, without a line break?',
    origins: 'Does the browser console report a CORS error? Then your page’s origin is not allowed.',
  },
  wrongKind: {
    client: 'This is a frontend token. This SDK needs a client token.',
    frontend:
      'This is a client token, which must stay secret: never put it into a page or an app. This SDK needs a frontend token.',
  },
  isAdmin: 'This is an admin token: never put it into an application.',
  isOver: 'This token has expired.',
  unknown: 'Token not found. Is it complete?',
  otherPlace: (environment: string) => `This token is for the environment ${environment}.`,
  connected: (app: string) => `${app} is connected`,
  connectedNameless: 'Your application is connected',
  instance: 'Process',
  saidNothing: 'not given',
  firstSeen: 'First request',
  noFlag: 'No evaluations reported yet. SDKs report about a minute after your code evaluates a flag.',
  firstFlag: (flag: string) => `First flag seen: ${flag}`,
  counted: (yes: string, no: string) => `on ${yes} times, off ${no} times`,
  missing: (flag: string) => `It uses “${flag}”, which does not exist.`,
  toFlag: 'Open flag',
  toFlags: 'Go to flags',
}

const de: typeof en = {
  title: 'SDK verbinden',
  intro:
    'Wählen Sie, worin Ihr Code geschrieben ist, legen Sie ein Token an, fügen Sie den Code ein und sehen Sie hier die erste Anfrage.',
  which: 'Worin ist Ihr Code geschrieben?',
  sdk: 'SDK',
  groups: { servers: 'Server', web: 'Webseiten', phones: 'Mobilgeräte' },
  kinds: {
    client: 'Bekommt alle Regeln und entscheidet selbst. Sein Token muss geheim bleiben.',
    frontend: 'Bekommt nur Ergebnisse. Sein Token darf in einer Seite oder App stehen.',
  },
  where: 'Wofür ist es?',
  appName: 'Name Ihrer Anwendung',
  make: 'Token anlegen',
  made: 'Das Token ist angelegt und steht unten im Code. Es wird nur dieses eine Mal gezeigt.',
  pasted: 'Ihr Token steht unten im Code.',
  another: 'Anderes Token',
  orPaste: 'Token einfügen',
  pasteLabel: 'Token',
  pasteHint: 'Eines, das Sie bekommen haben',
  use: 'Benutzen',
  mayNot: {
    client:
      'Sie dürfen in diesem Projekt keine Tokens für Server anlegen. Bitten Sie jemanden aus der Verwaltung oder eine Eigentümerin des Projekts um eines und fügen Sie es hier ein.',
    frontend:
      'Sie dürfen in diesem Projekt keine Tokens für Webseiten und Mobilgeräte anlegen. Bitten Sie jemanden aus der Verwaltung oder eine Eigentümerin des Projekts um eines und fügen Sie es hier ein.',
  },
  code: 'In Ihren Code einfügen',
  flag: 'Flag im Code',
  flagHint: 'Neueste zuerst; tippen durchsucht das Projekt',
  noFlagFound: 'Keine passenden Flags',
  noFlagsYet: 'Das Projekt hat noch keine Flags, daher fragt der Code nach einem, das es nicht gibt.',
  install: 'Installieren',
  file: (name) => `Als ${name}`,
  codeLabel: 'Code',
  noTokenYet: 'Mit einem Token läuft es sofort: Legen Sie oben eines an.',
  alsoServer: 'Die Server-Seite braucht ein eigenes Client-Token.',
  start: 'Ihre Anwendung starten',
  waitsForToken: 'Sobald es ein Token gibt, wartet diese Seite auf die erste Anfrage.',
  waiting: 'Warten auf die erste Anfrage …',
  waitingText: 'Starten Sie jetzt Ihre Anwendung. Diese Seite merkt es von selbst.',
  inUse: (app, ago) =>
    `Dieses Token wird benutzt: zuletzt von ${app}, ${ago}. Bis die nächste Anfrage hier erscheint, kann eine Minute vergehen.`,
  someone: 'einer Anwendung, die ihren Namen nicht gesagt hat',
  slow: 'Noch nichts? Das hilft beim Suchen:',
  checks: {
    runs: 'Läuft sie, und steht in ihrem Log etwas über Flags?',
    asks: 'Startet sie das SDK? Manche fragen erst, wenn start() aufgerufen wurde.',
    reaches: (address) => `Erreicht sie ${address} von dort, wo sie läuft?`,
    local:
      'In einem Container oder auf einem Telefon ist localhost dieser Container oder dieses Telefon: Nehmen Sie eine Adresse, die von dort erreichbar ist.',
    whole: 'Steht das ganze Token da, ohne Zeilenumbruch?',
    origins:
      'Klagt die Konsole des Browsers über CORS? Dann gehört die Adresse dieser Seite nicht zu denen, die fragen dürfen.',
  },
  wrongKind: {
    client: 'Das ist ein Token für Webseiten und Mobilgeräte. Dieses SDK braucht eines für Server.',
    frontend:
      'Das ist ein Token für Server, das geheim bleiben muss: Es gehört nie in eine Seite oder App. Dieses SDK braucht eines für Webseiten und Mobilgeräte.',
  },
  isAdmin: 'Das ist ein Token der Verwaltung: Es gehört nie in eine Anwendung.',
  isOver: 'Dieses Token ist abgelaufen.',
  unknown: 'Ein solches Token gibt es nicht. Ist es vollständig?',
  otherPlace: (environment) => `Dieses Token ist für die Umgebung ${environment}.`,
  connected: (app) => `${app} ist verbunden`,
  connectedNameless: 'Ihre Anwendung ist verbunden',
  instance: 'Prozess',
  saidNothing: 'hat es nicht gesagt',
  firstSeen: 'Erste Anfrage',
  noFlag:
    'Noch keine Auswertungen gemeldet. SDKs melden sie etwa eine Minute, nachdem Ihr Code ein Flag ausgewertet hat.',
  firstFlag: (flag) => `Erstes Flag: ${flag}`,
  counted: (yes, no) => `${yes}-mal an, ${no}-mal aus`,
  missing: (flag) => `Sie fragt nach „${flag}“, den es nicht gibt.`,
  toFlag: 'Flag öffnen',
  toFlags: 'Zu den Flags',
}

/** UI texts for the connect page and of the SDK selection. */
export const CONNECT_TEXTS: Catalogue<typeof en> = { en, de }
