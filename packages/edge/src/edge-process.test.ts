import { expect, test } from 'vitest'
import { rejectChangedTokens } from './edge-process.ts'

const before = { tokens: ['*:dev.a'], pretrustedTokens: ['k@dev'] }

test.each<[string, Parameters<typeof rejectChangedTokens>, RegExp | undefined]>([
  ['the same', [before, { ...before }], undefined],
  [
    'other client keys',
    [
      { ...before, clientKeys: ['one'] },
      { ...before, clientKeys: ['two'] },
    ],
    undefined,
  ],
  ['no client keys any more', [{ ...before, clientKeys: ['one'] }, before], undefined],
  ['another token', [before, { ...before, tokens: ['*:dev.b'] }], /^TOKENS/],
  ['another trusted token', [before, { ...before, pretrustedTokens: [] }], /PRETRUSTED_TOKENS/],
  ['the first client keys', [before, { ...before, clientKeys: ['one'] }], /^FLAG_PROXY_CLIENT_KEYS/],
])('read again while running: %s', (_name, [is, next], why) => {
  if (why === undefined) expect(() => rejectChangedTokens(is, next)).not.toThrow()
  else expect(() => rejectChangedTokens(is, next)).toThrow(why)
})
