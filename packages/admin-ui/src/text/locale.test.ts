import { expect, test } from 'vitest'
import { selectLocale } from './locale.ts'

test.each<[string, string[], string]>([
  ['en', ['en-GB', 'en-US'], 'en-GB'],
  ['en', ['de-DE', 'en-AU'], 'en-AU'],
  ['en', ['de-DE'], 'en'],
  ['en', [], 'en'],
  ['en', ['en-US@posix'], 'en'],
  ['en', ['en-US@posix', 'en-GB'], 'en-GB'],
  ['de', ['de_AT', 'de-AT'], 'de-AT'],
  ['de', ['de_DE.UTF-8'], 'de'],
  ['en', ['en-'], 'en'],
])('%s with browser languages %j resolves to %s', (language, wanted, locale) => {
  expect(selectLocale(language, wanted)).toBe(locale)
  expect(() => new Intl.DateTimeFormat(selectLocale(language, wanted))).not.toThrow()
})
