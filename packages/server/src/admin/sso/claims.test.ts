import { describe, expect, test } from 'vitest'
import { mergeClaims, parsePerson } from './claims.ts'

const TOKEN = { iss: 'https://id.example', sub: 'ann' }
const personOf = (claims: object, more?: object) => {
  const { email, isVerified } = parsePerson(mergeClaims({ ...TOKEN, ...claims }, { ...more }), '')
  return { email, isVerified }
}

describe('the address of a person', () => {
  test('stays unverified if the user-info endpoint has verified another address', () => {
    const more = { email: 'ann@corp.example', email_verified: true }
    const expected = { email: 'ceo@corp.example', isVerified: undefined }
    expect(personOf({ email: 'ceo@corp.example' }, more)).toEqual(expected)
  })

  test('counts as verified if the user-info endpoint has verified the same address', () => {
    const more = { email: 'ann@corp.example', email_verified: true }
    expect(personOf({ email: 'ann@corp.example' }, more)).toEqual({ email: 'ann@corp.example', isVerified: true })
  })

  test('counts as verified if it comes from the user-info endpoint, which has verified it', () => {
    const more = { email: 'ann@corp.example', email_verified: true }
    expect(personOf({}, more)).toEqual({ email: 'ann@corp.example', isVerified: true })
  })

  test('stays unverified if only an ID token without an address is verified', () => {
    const more = { email: 'ceo@corp.example', email_verified: false }
    expect(personOf({ email_verified: true }, more)).toEqual({ email: 'ceo@corp.example', isVerified: false })
  })
})
