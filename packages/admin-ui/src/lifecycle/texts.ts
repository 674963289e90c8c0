import type { Catalogue } from '../text/languages.ts'

const en = {
  means: {
    initial: 'It has been created, and no SDK has asked for it yet.',
    'pre-live': 'SDKs ask for it, but not in production yet.',
    live: 'SDKs ask for it in production: real users depend on it.',
    completed: 'It has done its work. Take it out of the code, then archive it.',
    archived: 'SDKs no longer get it.',
  },
  since: (date: string) => `Since ${date}`,
  kept: (variant: string | undefined) =>
    variant === undefined ? 'The code keeps what it switched on.' : `The code keeps the variant ${variant}.`,
  discarded: 'The code drops what it switched on.',
  complete: 'Mark as completed',
  reopen: 'Not completed after all',
  reopened: (flag: string) => `${flag} is in use again`,
  title: (flag: string) => `${flag} has done its work`,
  text: 'Nothing changes for SDKs. The flag counts as ready to be taken out of the code and then archived.',
  outcome: 'What the code keeps',
  keep: 'What the flag switches on',
  keepText: 'It becomes the only way; the check of the flag is removed.',
  keepVariant: (variant: string) => `The variant ${variant}`,
  drop: 'What was there before',
  dropText: 'The experiment is over, and its code is removed.',
  completed: (flag: string) => `${flag} is completed`,
}

const de: typeof en = {
  means: {
    initial: 'Er ist angelegt, und noch kein SDK hat nach ihm gefragt.',
    'pre-live': 'SDKs fragen nach ihm, aber noch nicht in Produktion.',
    live: 'SDKs fragen in Produktion nach ihm: echte Benutzer hängen davon ab.',
    completed: 'Er hat ausgedient. Nehmen Sie ihn aus dem Code, dann archivieren Sie ihn.',
    archived: 'SDKs bekommen ihn nicht mehr.',
  },
  since: (date) => `Seit ${date}`,
  kept: (variant) =>
    variant === undefined ? 'Der Code behält, was er eingeschaltet hat.' : `Der Code behält die Variante ${variant}.`,
  discarded: 'Der Code lässt fallen, was er eingeschaltet hat.',
  complete: 'Als erledigt markieren',
  reopen: 'Doch nicht erledigt',
  reopened: (flag) => `${flag} dient wieder`,
  title: (flag) => `${flag} hat ausgedient`,
  text: 'Für SDKs ändert sich nichts. Er gilt als bereit, aus dem Code genommen und dann archiviert zu werden.',
  outcome: 'Was der Code behält',
  keep: 'Was der Schalter einschaltet',
  keepText: 'Es wird zum einzigen Weg; die Abfrage des Schalters entfällt.',
  keepVariant: (variant) => `Die Variante ${variant}`,
  drop: 'Was vorher war',
  dropText: 'Der Versuch ist vorbei, und sein Code entfällt.',
  completed: (flag) => `${flag} ist erledigt`,
}

/** UI texts about lifecycle stages. */
export const LIFECYCLE_TEXTS: Catalogue<typeof en> = { en, de }
