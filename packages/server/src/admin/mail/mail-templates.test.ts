import { expect, test } from 'vitest'
import { MAIL_TEMPLATES } from './mail-templates.ts'

const LINK = 'https://flags.example/reset-password?token=t'
const build = (name: string) => MAIL_TEMPLATES['reset-password']({ name, link: LINK, url: 'https://flags.example' })

test.each([
  ['line breaks', 'Ann,\r\n\nyour account is locked', 'Hello Ann, your account is locked,'],
  ['line and paragraph separators', 'Ann,\u2028\u2029your account is locked', 'Hello Ann, your account is locked,'],
  ['a reversed direction', 'Ann\u202egpj.exe', 'Hello Ann gpj.exe,'],
  ['control characters only', '\u0007\n', 'Hello,'],
])('a name with %s stays in the line of the greeting', (_what, name, greeting) => {
  const { text, html } = build(name)
  expect(text.split('\n')[0]).toBe(greeting)
  expect(html).toContain(`<p>${greeting}</p>`)
})

test('a name with markup is shown as text', () => {
  expect(build('<a href="https://evil.example">Ann</a>').html).not.toContain('<a href="https://evil.example">')
})
