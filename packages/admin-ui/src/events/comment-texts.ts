import type { Catalogue } from '../text/languages.ts'

const en = {
  commented: (by: string, text: string) => `${by} commented: “${text}”`,
  edited: (by: string, text: string) => `${by} edited a comment: “${text}”`,
  deleted: (by: string, text: string) => `${by} deleted a comment: “${text}”`,
  deletedOf: (by: string, whose: string, text: string) => `${by} deleted a comment by ${whose}: “${text}”`,
}

const de: typeof en = {
  commented: (by, text) => `${by} hat kommentiert: „${text}“`,
  edited: (by, text) => `${by} hat einen Kommentar bearbeitet: „${text}“`,
  deleted: (by, text) => `${by} hat einen Kommentar gelöscht: „${text}“`,
  deletedOf: (by, whose, text) => `${by} hat einen Kommentar von ${whose} gelöscht: „${text}“`,
}

/** Sentences about comments in the event log. */
export const COMMENT_EVENT_TEXTS: Catalogue<typeof en> = { en, de }

/** Names of comment events. */
export const COMMENT_EVENTS = {
  en: {
    'feature-comment-added': 'Comment added',
    'feature-comment-edited': 'Comment edited',
    'feature-comment-deleted': 'Comment deleted',
  },
  de: {
    'feature-comment-added': 'Kommentar hinzugefügt',
    'feature-comment-edited': 'Kommentar bearbeitet',
    'feature-comment-deleted': 'Kommentar gelöscht',
  },
} as const
