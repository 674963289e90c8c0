import { describe, expect, test } from 'vitest'
import { mergeClaims, parsePerson } from './claims.ts'

const TOKEN = { iss: 'https://id.example', sub: 'ann' }
const personOf = (claims: object, more?: object) => {
  const { email, isVerified } = parsePerson(mergeClaims({ ...TOKEN, ...claims }, { ...more }), '')
  return { email, isVerified }
}

describe('an address', () => {
  test('of the ID token is not verified by another address at the user-info endpoint', () => {
    const more = { email: 'ann@corp.example', email_verified: true }
    const expected = { email: 'ceo@corp.example', isVerified: undefined }
    expect(personOf({ email: 'ceo@corp.example' }, more)).toEqual(expected)
  })

  test('of the ID token is verified by the same address at the user-info endpoint', () => {
    const more = { email: 'ann@corp.example', email_verified: true }
    expect(personOf({ email: 'ann@corp.example' }, more)).toEqual({ email: 'ann@corp.example', isVerified: true })
  })

  test('that only the user-info endpoint has is verified there', () => {
    const more = { email: 'ann@corp.example', email_verified: true }
    expect(personOf({}, more)).toEqual({ email: 'ann@corp.example', isVerified: true })
  })

  test('that only the user-info endpoint has is not verified by the ID token', () => {
    const more = { email: 'ceo@corp.example', email_verified: false }
    expect(personOf({ email_verified: true }, more)).toEqual({ email: 'ceo@corp.example', isVerified: false })
  })
})
