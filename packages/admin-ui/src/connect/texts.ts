import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Connect an SDK',
  intro: 'Choose what your code is written in, create a token, paste the code, and see it arrive here.',
  which: 'What is your code written in?',
  sdk: 'SDK',
  groups: { servers: 'Servers', web: 'Web pages', phones: 'Phones' },
  kinds: {
    client: 'Gets all rules and decides by itself. Its token must stay secret.',
    frontend: 'Gets results only. Its token can be in a page or an app.',
  },
  where: 'What is it for?',
  appName: 'Name of your application',
  make: 'Create the token',
  made: 'The token is created and is in the code below. It is shown only this once.',
  pasted: 'Your token is in the code below.',
  another: 'Another token',
  orPaste: 'Paste a token',
  pasteLabel: 'Token',
  pasteHint: 'One that you were given',
  use: 'Use it',
  mayNot: {
    client:
      'You are not allowed to create tokens for servers in this project. Ask an administrator or an owner of the project for one, and paste it here.',
    frontend:
      'You are not allowed to create tokens for web pages and phones in this project. Ask an administrator or an owner of the project for one, and paste it here.',
  },
  code: 'Put it into your code',
  install: 'Install',
  file: (name: string) => `As ${name}`,
  codeLabel: 'Code',
  noTokenYet: 'With a token it is ready to run: create one above.',
  alsoServer: 'The server side needs a client token of its own.',
  start: 'Start your application',
  waitsForToken: 'Once there is a token, this page waits for the first request.',
  waiting: 'Waiting for the first request …',
  waitingText: 'Start your application now. This page notices by itself.',
  inUse: (app: string, ago: string) =>
    `This token is in use: last by ${app}, ${ago}. The next request may take a minute to show here.`,
  someone: 'an application that did not give its name',
  slow: 'Nothing yet? What to look at:',
  checks: {
    runs: 'Does it run, and does its log say anything about flags?',
    asks: 'Does it start the SDK? Some ask only once start() was called.',
    reaches: (address: string) => `Does it reach ${address} from where it runs?`,
    local: 'In a container or on a phone, localhost is that container or phone: use an address that it can reach.',
    whole: 'Is the whole token there, without a line break?',
    origins:
      'Does the browser’s console complain about CORS? Then this page’s address is not among those that are allowed to ask.',
  },
  wrongKind: {
    client: 'This is a token for web pages and phones. This SDK needs one for servers.',
    frontend:
      'This is a token for servers, which must stay secret: never put it into a page or an app. This SDK needs one for web pages and phones.',
  },
  isAdmin: 'This is an admin token: never put it into an application.',
  isOver: 'This token has expired.',
  unknown: 'There is no such token. Is it complete?',
  otherPlace: (environment: string) => `This token is for the environment ${environment}.`,
  connected: (app: string) => `${app} is connected`,
  connectedNameless: 'Your application is connected',
  instance: 'Process',
  saidNothing: 'not given',
  firstSeen: 'First request',
  noFlag: 'It has not counted a flag yet. SDKs report within a minute or so after your code has asked.',
  firstFlag: (flag: string) => `First flag seen: ${flag}`,
  counted: (yes: string, no: string) => `on ${yes} times, off ${no} times`,
  missing: (flag: string) => `It asks for “${flag}”, which does not exist.`,
  toFlag: 'Open the flag',
  toFlags: 'Go to flags',
}

const de: typeof en = {
  title: 'SDK anschließen',
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
    runs: 'Läuft sie, und steht in ihrem Log etwas über Schalter?',
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
    'Sie hat noch keinen Schalter gezählt. SDKs melden sich etwa innerhalb einer Minute, nachdem Ihr Code gefragt hat.',
  firstFlag: (flag) => `Erster Schalter: ${flag}`,
  counted: (yes, no) => `${yes}-mal an, ${no}-mal aus`,
  missing: (flag) => `Sie fragt nach „${flag}“, den es nicht gibt.`,
  toFlag: 'Schalter öffnen',
  toFlags: 'Zu den Schaltern',
}

/** UI texts for the connect page and of the SDK selection. */
export const CONNECT_TEXTS: Catalogue<typeof en> = { en, de }
