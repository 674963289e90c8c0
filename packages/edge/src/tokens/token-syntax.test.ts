import { describe, expect, test } from 'vitest'
import { isToken, MAX_TOKEN_LENGTH, readPretrusted, readTokenForm, shortenToken } from './token-syntax.ts'

describe('the form of a token', () => {
  test.each<[string, ReturnType<typeof readTokenForm>]>([
    ['shop:development.secret', { projects: ['shop'], environment: 'development' }],
    ['*:production.secret', { projects: ['*'], environment: 'production' }],
    ['[]:production.secret', { projects: undefined, environment: 'production' }],
    ['*:*.secret', { projects: ['*'], environment: '*' }],
    ['shop:development.with.dots:and-colons', { projects: ['shop'], environment: 'development' }],
    ['', undefined],
    ['secret', undefined],
    ['shop:development', undefined],
    ['shop:development.', undefined],
    [':development.secret', undefined],
    ['shop:.secret', undefined],
    ['shop.development.secret', undefined],
    ['shop:dev elopment.secret', undefined],
    ['shop:development.secret\n', undefined],
    ['shöp:development.secret', undefined],
    [`shop:development.${'x'.repeat(MAX_TOKEN_LENGTH)}`, undefined],
  ])('%s', (text, form) => {
    expect(readTokenForm(text)).toEqual(form)
  })
})

describe('the form of a token that is trusted', () => {
  test.each<[string, ReturnType<typeof readPretrusted>]>([
    ['old-key@development', { text: 'old-key', environment: 'development', projects: ['*'] }],
    ['a@b@development', { text: 'a@b', environment: 'development', projects: ['*'] }],
    ['shop:test.secret', { text: 'shop:test.secret', environment: 'test', projects: ['shop'] }],
    ['shop:test.sec@ret', { text: 'shop:test.sec@ret', environment: 'test', projects: ['shop'] }],
    ['[]:test.secret', { text: '[]:test.secret', environment: 'test', projects: ['*'] }],
    ['*:test.secret', { text: '*:test.secret', environment: 'test', projects: ['*'] }],
    ['old-key', undefined],
    ['old-key@', undefined],
    ['old-key@*', undefined],
    ['*:*.secret', undefined],
    ['@development', undefined],
    ['old key@development', undefined],
    ['', undefined],
  ])('%s', (text, trusted) => {
    expect(readPretrusted(text)).toEqual(trusted)
  })
})

describe('masked tokens in pages and logs', () => {
  test.each([
    [`shop:test.${'abcdef'}${'0'.repeat(44)}uvwxyz`, 'shop:test.abcdef****uvwxyz'],
    ['shop:test.abcdefghijklmnop', 'shop:test.ab****op'],
    ['shop:test.abcdefgh', 'shop:test.a****h'],
    ['shop:test.abcdefg', 'shop:test.****'],
    ['shop:test.a', 'shop:test.****'],
    ['old-key', '****'],
    ['', '****'],
    ['an-old-client-key-of-a-proxy-before', 'an-o****fore'],
  ])('%s', (text, shown) => {
    expect(shortenToken(text)).toBe(shown)
  })
})

test.each([
  ['one-word', true],
  ['two words', false],
  ['', false],
  ['x'.repeat(MAX_TOKEN_LENGTH), true],
  ['x'.repeat(MAX_TOKEN_LENGTH + 1), false],
])('%s may be a token: %s', (text, is) => {
  expect(isToken(text)).toBe(is)
})
