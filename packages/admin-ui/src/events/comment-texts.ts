import type { Catalogue } from '../text/languages.ts'

const en = {
  quote: (text: string) => `“${text}”`,
  quoteOf: (whose: string, text: string) => `${whose}: “${text}”`,
}

const de: typeof en = {
  quote: (text) => `„${text}“`,
  quoteOf: (whose, text) => `${whose}: „${text}“`,
}

/** UI strings for quoting comments in the event log. */
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
