import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { en, type Texts } from './en.ts'
import { formatGroupedNumber } from './grouped-number.ts'
import type { Catalogue, Language } from './languages.ts'
import { selectLocale } from './locale.ts'
import { formatTimeAgo } from './time-ago.ts'

const STORAGE_KEY = 'burgee-language'

interface LanguageChoice {
  readonly language: Language
  readonly texts: Texts
  readonly choose: (language: Language) => void
}

const Context = createContext<LanguageChoice>({ language: 'en', texts: en, choose: () => undefined })

/** Returns the UI strings in the selected language or, if none is selected, in the browser's language. */
export async function loadFirstTexts(): Promise<{ language: Language; texts: Texts }> {
  const wanted = localStorage.getItem(STORAGE_KEY) ?? navigator.language.slice(0, 2)
  const language: Language = wanted === 'de' ? 'de' : 'en'
  return { language, texts: await loadTexts(language) }
}

async function loadTexts(language: Language): Promise<Texts> {
  document.documentElement.lang = language
  return language === 'de' ? (await import('./de.ts')).de : en
}

/** Provides the UI strings to all children. */
export function TextsProvider(props: { first: { language: Language; texts: Texts }; children: ReactNode }) {
  const [chosen, setChosen] = useState(props.first)
  const choose = async (language: Language): Promise<void> => {
    localStorage.setItem(STORAGE_KEY, language)
    setChosen({ language, texts: await loadTexts(language) })
  }
  return <Context value={{ ...chosen, choose: (language) => void choose(language) }}>{props.children}</Context>
}

/** Returns the UI strings in the user's language, merged with a catalogue if one is given. */
export function useTexts<T extends object = object>(part?: Catalogue<T>): Texts & T {
  const { language, texts } = use(Context)
  const own = part?.[language]
  return useMemo(() => ({ ...texts, ...own }) as Texts & T, [texts, own])
}

/** Returns the UI strings for a part of the UI in the user's language. */
export function useCatalogue<T>(catalogue: Catalogue<T>): T {
  return catalogue[use(Context).language]
}

/** Returns the user's language and a function to change it. */
export function useLanguage(): Pick<LanguageChoice, 'language' | 'choose'> {
  return use(Context)
}

/** Returns formatters for dates and numbers in the user's language. */
export function useFormat() {
  const { language, texts } = use(Context)
  return getFormat(language, texts.common.justNow)
}

type Format = ReturnType<typeof createFormat>
const FORMATS = new Map<Language, Format>()

/**
 * Returns the formatters of a language. The formatters are cached, because creating a formatter takes far longer than
 * using it.
 */
function getFormat(language: Language, justNow: string): Format {
  const known = FORMATS.get(language) ?? createFormat(language, justNow)
  FORMATS.set(language, known)
  return known
}

function createFormat(language: Language, justNow: string) {
  const locale = selectLocale(language, navigator.languages)
  const dates = memoize(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  const times = memoize(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
  const days = memoize(() => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }))
  const clocks = memoize(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
  const numbers = memoize(() => new Intl.NumberFormat(locale))
  return {
    date: (iso: string) => dates().format(new Date(iso)),
    time: (iso: string) => times().format(new Date(iso)),
    /** Returns a day without the year, as in "Mar 3". */
    day: (at: number) => days().format(at),
    clock: (iso: string) => clocks().format(new Date(iso)),
    number: (value: number) => formatGroupedNumber(value, locale) ?? numbers().format(value),
    ago: (iso: string) => formatTimeAgo(new Date(iso).getTime() - Date.now(), language) ?? justNow,
  }
}

/** Creates a formatter on first use, because browsers take milliseconds to create a formatter, especially for dates. */
function memoize<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
