/** Languages of the UI, by the names that they call themselves. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** UI strings for a part of the UI, loaded with its pages. */
export type Catalogue<T> = Readonly<Record<Language, T>>
