import { expect, test } from 'vitest'
import { MAX_PEOPLE, type SavedPerson, savePerson } from './saved-people.ts'

const anna: SavedPerson = { name: 'Anna', context: { country: 'DE' } }

test('a person replaces an earlier one of the same name, without empty and overlong values', () => {
  const context = { country: 'AT', userId: '', sessionId: 'x'.repeat(1001) }
  expect(savePerson([anna], 'Anna', context)).toEqual([{ name: 'Anna', context: { country: 'AT' } }])
})

test('people are sorted by name', () => {
  expect(savePerson([{ name: 'Zoe', context: {} }], 'Anna', { country: 'DE' })?.map(({ name }) => name)).toEqual([
    'Anna',
    'Zoe',
  ])
})

test('a full list takes no further person, but replaces one', () => {
  const full = Array.from({ length: MAX_PEOPLE }, (_, index): SavedPerson => ({ name: `p${index}`, context: {} }))
  expect(savePerson(full, 'Anna', {})).toBeUndefined()
  expect(savePerson(full, 'p3', {})).toHaveLength(MAX_PEOPLE)
})
