import type { SourceUser } from '@burgee/import/model/source-people'
import { expect, test } from 'vitest'
import { type MatchableUser, matchUsers } from './match-users.ts'

const SOURCE: SourceUser = {
  id: 1,
  name: null,
  username: null,
  email: null,
  password: { kind: 'unknown' },
  rootRole: undefined,
  isService: false,
  imageUrl: null,
  scimId: null,
  scimExternalId: null,
  loginAttempts: 0,
  createdAt: 0,
  seenAt: null,
}
const STORED: MatchableUser = { id: 1, username: null, email: null, address_verified: 0, own_email: 0 }
const VERIFIED = { address_verified: 1 }

test.each<{
  name: string
  source: Partial<SourceUser>
  stored: Partial<MatchableUser>
  id: number
  by: string | undefined
}>([
  { name: 'keeps a free id', source: { id: 5 }, stored: {}, id: 5, by: undefined },
  {
    name: 'gets a new id if its own is used',
    source: { username: 'ada' },
    stored: { username: 'eve' },
    id: 8,
    by: undefined,
  },
  {
    name: 'is found by a verified address, in any case',
    source: { id: 5, email: 'Ada@example.com' },
    stored: { id: 7, email: 'ada@Example.com', ...VERIFIED },
    id: 7,
    by: 'email',
  },
  {
    name: 'is only found by name if the address is not verified',
    source: { id: 5, email: 'ada@example.com' },
    stored: { id: 7, email: 'ada@example.com' },
    id: 7,
    by: 'username',
  },
  {
    name: 'is only found by name if the owner has set the address',
    source: { id: 5, email: 'ada@example.com' },
    stored: { id: 7, email: 'ada@example.com', ...VERIFIED, own_email: 1 },
    id: 7,
    by: 'username',
  },
  {
    name: 'is found by username',
    source: { id: 5, username: 'ada', email: 'other@example.com' },
    stored: { id: 7, username: 'ada', email: 'ada@example.com', ...VERIFIED },
    id: 7,
    by: 'username',
  },
  {
    name: 'is not found by an empty name',
    source: { id: 5, username: '', email: '' },
    stored: { id: 7, username: '' },
    id: 5,
    by: undefined,
  },
])('a user $name', ({ source, stored, id, by }) => {
  const other = { ...SOURCE, id: 7, username: 'last' }
  const { users } = matchUsers([{ ...SOURCE, ...source }, other], [{ ...STORED, ...stored }])
  expect(users[0]).toMatchObject({ id, by })
})

test('ids of all users differ, and the highest is reported', () => {
  const users = [1, 2, 3].map((id) => ({ ...SOURCE, id, username: `user ${id}` }))
  const { users: matches, highestId } = matchUsers(users, [
    { ...STORED, id: 1 },
    { ...STORED, id: 2 },
  ])
  expect(matches.map(({ id }) => id)).toEqual([4, 5, 3])
  expect(highestId).toBe(5)
})

test('matches more users than a function call can take as arguments', () => {
  const users = Array.from({ length: 200_000 }, (_, index) => ({ ...SOURCE, id: index + 1 }))
  expect(matchUsers(users, []).highestId).toBe(200_000)
})
