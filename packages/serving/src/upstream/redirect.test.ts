import { expect, test } from 'vitest'
import { findAllowedRedirect } from './redirect.ts'

test.each<[string, string, string | undefined]>([
  ['http://up.example/api', '/moved', 'http://up.example/moved'],
  ['http://up.example/api', 'moved', 'http://up.example/moved'],
  ['http://up.example/api', 'http://up.example:80/x', 'http://up.example/x'],
  ['http://up.example/api', '//up.example/x', 'http://up.example/x'],
  ['http://up.example/api', 'http://UP.example/x', 'http://up.example/x'],
  ['http://up.example/api', 'https://up.example/api', 'https://up.example/api'],
  ['http://up.example:4242/api', 'https://up.example/api', 'https://up.example/api'],
  ['http://up.example:4242/api', 'https://up.example:4243/api', 'https://up.example:4243/api'],
  ['https://up.example/api', 'http://up.example/api', undefined],
  ['https://up.example/api', 'https://up.example:444/api', undefined],
  ['http://up.example/api', 'http://up.example:8080/api', undefined],
  ['http://up.example/api', 'https://other.example/api', undefined],
  ['http://up.example/api', 'https://up.example.other.example/api', undefined],
  ['http://up.example/api', 'https://up.example@other.example/api', undefined],
  ['http://up.example/api', 'http://user:secret@up.example/api', undefined],
  ['http://up.example/api', '//other.example/api', undefined],
  ['http://up.example/api', '\\\\other.example/api', undefined],
  ['http://127.0.0.1/api', 'http://localhost/api', undefined],
  ['http://up.example/api', 'file:///etc/passwd', undefined],
  ['http://up.example/api', 'http://', undefined],
  ['http://up.example/api', '', 'http://up.example/api'],
])('from %s to %s: %s', (from, location, expected) => {
  expect(findAllowedRedirect(from, location)?.href).toBe(expected)
})
