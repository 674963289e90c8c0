import { describe, expect, test } from 'vitest'
import { findDeceptiveAccounts } from './find-deceptive-accounts.ts'

const account = (id: number, username: string | null, email: string | null = null) => ({ id, username, email })

describe('a username is reported if it', () => {
  test.each([
    ['has letters of two alphabets', 'аdmin', /several alphabets/],
    ['has an invisible character', 'admin\u200b', /invisible/],
    ['looks like a username in other letters', 'adm1n', /like the login "admin"/],
    ['differs from a username in case only', 'ADMIN', /like the login "admin"/],
    ['looks like the e-mail address of another account', 'ceo@corp.example', /like the login "ceo@corp\.example"/],
    ['is a name that events show for the server', 'System', /events show/],
    ['is an e-mail address of no account', 'x@corp.example', /e-mail address/],
  ])('%s', (_what, username, reason) => {
    const others = [account(1, 'admin'), account(2, 'ceo', 'ceo@corp.example')]
    const found = findDeceptiveAccounts([...others, account(9, username, 'nine@corp.example')])
    expect(found.filter(({ id }) => id === 9)).toEqual([{ id: 9, username, reason: expect.stringMatching(reason) }])
  })
})

test('no username is reported that resembles only the own address', () => {
  const accounts = [account(1, 'ann@corp.example', 'Ann@corp.example'), account(2, null, 'ben'), account(3, 'cleo')]
  expect(findDeceptiveAccounts(accounts)).toEqual([])
})
