import type { Catalogue } from '../text/languages.ts'

const en = {
  comments: 'Comments',
  newest: 'Comments, newest first',
  tab: (count: number) => (count === 0 ? 'Comments' : `Comments (${count})`),
  comment: 'Comment',
  say: 'Add comment',
  said: 'The comment is there',
  keys: 'Ctrl+Enter or ⌘+Enter sends it',
  missing: 'The comment is empty',
  left: (count: number) => (count === 1 ? '1 character left' : `${count} characters left`),
  tooLong: (count: number) => (count === 1 ? '1 character too many' : `${count} characters too many`),
  edited: 'edited',
  editedAt: (time: string) => `Edited ${time}`,
  actsOf: (name: string, time: string) => `More about the comment by ${name}, ${time}`,
  edit: 'Edit',
  editOf: (name: string, time: string) => `Edit the comment by ${name}, ${time}`,
  editTitle: 'Edit comment',
  changed: 'The comment is changed',
  remove: 'Delete',
  removeOf: (name: string, time: string) => `Delete the comment by ${name}, ${time}`,
  removeTitle: 'Delete this comment?',
  removeOwnText: 'Nobody finds it here any more. The history keeps what it said.',
  removeText: (name: string) =>
    `${name} wrote it. Nobody finds it here any more; the history keeps what it said, and that you deleted it.`,
  removed: 'The comment is deleted',
  none: 'No comments yet',
  noneText: 'Leave a note for whoever looks after this flag: why a rollout waits, or what comes next.',
  noneToRead: 'What people note about this flag appears here.',
  archived: 'The flag is archived: comments can be read, but not written.',
}

const de: typeof en = {
  comments: 'Kommentare',
  newest: 'Kommentare, neueste zuerst',
  tab: (count) => (count === 0 ? 'Kommentare' : `Kommentare (${count})`),
  comment: 'Kommentar',
  say: 'Kommentieren',
  said: 'Der Kommentar steht da',
  keys: 'Strg+Eingabe oder ⌘+Eingabe schickt ihn ab',
  missing: 'Der Kommentar ist leer',
  left: (count) => (count === 1 ? 'noch 1 Zeichen' : `noch ${count} Zeichen`),
  tooLong: (count) => `${count} Zeichen zu viel`,
  edited: 'bearbeitet',
  editedAt: (time) => `Bearbeitet: ${time}`,
  actsOf: (name, time) => `Mehr zum Kommentar von ${name}, ${time}`,
  edit: 'Bearbeiten',
  editOf: (name, time) => `Kommentar von ${name}, ${time}, bearbeiten`,
  editTitle: 'Kommentar bearbeiten',
  changed: 'Der Kommentar ist geändert',
  remove: 'Löschen',
  removeOf: (name, time) => `Kommentar von ${name}, ${time}, löschen`,
  removeTitle: 'Diesen Kommentar löschen?',
  removeOwnText: 'Hier findet ihn dann niemand mehr. Im Verlauf bleibt stehen, was darin stand.',
  removeText: (name) =>
    `${name} hat ihn geschrieben. Hier findet ihn dann niemand mehr; im Verlauf bleibt stehen, was darin stand und wer ihn gelöscht hat.`,
  removed: 'Der Kommentar ist gelöscht',
  none: 'Noch keine Kommentare',
  noneText:
    'Hier ist Platz für Notizen an alle, die sich um diesen Schalter kümmern: warum er wartet oder was als Nächstes kommt.',
  noneToRead: 'Hier erscheint, was andere zu diesem Schalter notieren.',
  archived: 'Der Schalter ist archiviert: Kommentare lassen sich lesen, aber nicht schreiben.',
}

/** UI texts for comments on flags and change requests. */
export const COMMENT_TEXTS: Catalogue<typeof en> = { en, de }
