import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { requireStrong } from './password-rules.ts'
import { CONTEXT_WORDS } from './predictable-words.ts'

const findReason = (password: string, names: readonly string[] = []): string | undefined => {
  try {
    requireStrong(password, names)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const SHORT = 'The password must be at least 10 characters long.'
const COMMON = 'The password is one of the most common ones.'
const WITH_NUMBER = 'The password is a common word with a year or a sequence of digits.'
const REPEATS = 'The password only repeats a few characters.'
const REPEATED_WORD = 'The password is a common word repeated.'
const RUN = 'The password is a sequence of adjacent characters.'
const NAME = 'The password must not be the name of its owner.'

describe('easily guessed', () => {
  test.each([
    ['short123', SHORT],
    ['🍺🍺🍺🍺🍺🍺🍺🍺🍺', SHORT],
    // passwords on the list of leaked passwords, in upper or lower case, also with trailing punctuation
    ['1q2w3e4r5t', COMMON],
    ['PasswordPassword', COMMON],
    ['Administrator', COMMON],
    ['basketball!!', COMMON],
    ['"qwertyuiop"', COMMON],
    ['manchester.', COMMON],
    ['unleash4all', COMMON],
    ['correcthorsebatterystaple', COMMON],
    // a listed word and a year
    ['Summer2024', WITH_NUMBER],
    ['winter2026!', WITH_NUMBER],
    ['Sunflower1999', WITH_NUMBER],
    ['dragon-2024', WITH_NUMBER],
    ['London @ 2012!?', WITH_NUMBER],
    ['Monkey_1987', WITH_NUMBER],
    ['2024Summer', WITH_NUMBER],
    ['2024!welcome', WITH_NUMBER],
    ['p@ssw0rd2025', WITH_NUMBER],
    ['dog....2024', WITH_NUMBER],
    ['Unleash2026', WITH_NUMBER],
    ['featureflag2024', WITH_NUMBER],
    // a listed word with a common digit suffix
    ['letmein12345', WITH_NUMBER],
    ['Welcome1234!', WITH_NUMBER],
    ['minecraft1', WITH_NUMBER],
    ['Admin123456789', WITH_NUMBER],
    ['adminadmin', REPEATED_WORD],
    ['DragonDragonDragon!', REPEATED_WORD],
    ['aaaaaaaaaaaa', REPEATS],
    ['ab12ab12ab12', REPEATS],
    ['abcdefghijkl', RUN],
    ['0123456789', RUN],
    // repetitions of a piece that would be too short as a password
    ['viewer1viewer1', REPEATS],
    ['Viewer1-Viewer1!', REPEATS],
    ['abcd1234abcd', REPEATS],
    ['k8#Qz!k8#Qz!k8', REPEATS],
    // keyboard walks on three layouts, with and without the shift key
    ['1q2w3e4r5t6y7u', RUN],
    ['1qaz2wsx3edc4', RUN],
    ['!QAZ"2wsx#EDC', RUN],
    ['qwertyuiasdfgh', RUN],
    ['2wsxzaq1cde3', RUN],
    ['poiuytrewq1', RUN],
    ['qwertzuiopü1', RUN],
    ['azertyqsdfgh', RUN],
    // consecutive sequences
    ['abcd1234efgh', RUN],
    ['abc123xyz789', RUN],
    ['111222333444', RUN],
    ['zyxwvu98765', RUN],
  ])('%j: %s', (password, reason) => {
    expect(findReason(password)).toBe(reason)
  })

  test('the name of its owner, in any case', () => {
    expect(findReason('Ann.Example@company.test', [undefined as never, 'ann.example@company.test'])).toBe(NAME)
    expect(findReason('Ann.Example@company.test')).toBeUndefined()
  })
})

describe('not easily guessed', () => {
  test.each(
    [
      'a good password',
      'correct-horse-battery',
      'onlylowercaseletters',
      'kühles Bier 🍺',
      '12 41 98 55 02',
      'Tr0ub4dor&3x',
      // a year or a number does not weaken a password unless it follows a common word
      'zwölf Boxkämpfer 2024',
      'brxqvtkl2024',
      'summer2124',
      'summer1899',
      'summer48213',
      'summer of 2024',
      'x2024',
      '20242024aB',
      // ordinary words also contain neighbouring keys and ordered letters
      'we were there before',
      'redress-polk-fewest',
      'hijacked defenders',
      'stuvenko 789 halt',
      // only the beginning of the password is repeated
      'brick wall brick',
      'correcthorsecorrect',
      'k8#Qz!vT2mk8',
    ].filter((password) => password.length >= 10),
  )('%j', (password) => {
    expect(findReason(password)).toBeUndefined()
  })
})

describe('words of the context', () => {
  const EXPECTED = 'The password consists of predictable words.'
  test.each([
    ['Burgee-Feature-Flag', [], EXPECTED],
    ['unleash_admin_42', [], EXPECTED],
    ['production!Release!7', [], EXPECTED],
    ['dora.example.99', ['dora', 'dora@example.com'], EXPECTED],
    ['Dora-Welcome-Com', ['dora@example.com'], EXPECTED],
    ['burgee is my daily driver', [], undefined],
    ['dora likes tall ships', ['dora', 'dora@example.com'], undefined],
    ['annual banquet', ['ann'], undefined],
  ])('%s of %j: %s', (password, names, reason) => {
    expect(findReason(password, names)).toBe(reason)
  })

  test('appear in the documentation of users', () => {
    const page = readFileSync(new URL('../../../../../../docs/people.md', import.meta.url), 'utf8')
    expect(CONTEXT_WORDS.filter((word) => !page.includes(`\`${word}\``))).toEqual([])
  })
})

test('also checks a password of the maximum length', () => {
  for (const filler of ['!', 'a!', '1', '2024', ' ', 'ä']) {
    const password = `summer${filler.repeat(1000)}`.slice(0, 1000)
    // a backtracking pattern would try every split and would practically never end
    expect(findReason(password)).toBe(filler === '!' || filler === ' ' ? COMMON : undefined)
  }
})
