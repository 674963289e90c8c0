/** Languages of the catalogue, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Texts of a part of the UI, which come with its pages and not before. */
export type Catalogue<T> = Readonly<Record<Language, T>>
