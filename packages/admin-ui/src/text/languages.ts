/** Languages of the UI, by their native names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Texts of a part of the UI, loaded with its pages. */
export type Catalogue<T> = Readonly<Record<Language, T>>
