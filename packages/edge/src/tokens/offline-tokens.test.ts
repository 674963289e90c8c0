import { toNetwork } from '@burgee/kit/http/client-network'
import { describe, expect, test } from 'vitest'
import { createOfflineTokens } from './offline-tokens.ts'

describe('tokens of a node without an upstream', () => {
  const tokens = createOfflineTokens({
    clientTokens: ['anything', 'shop:production.secret', '[]:test.secret'],
    frontendTokens: ['page', '*:production.page'],
  })
  test.each([
    ['anything', 'backend development *'],
    ['shop:production.secret', 'backend production shop'],
    ['[]:test.secret', 'backend test *'],
    ['page', 'frontend development *'],
    ['*:production.page', 'frontend production *'],
    ['', 'refused: missing'],
    ['another', 'refused: unknown'],
    ['shop:production.other', 'refused: unknown'],
  ])('%s: %s', async (text, is) => {
    const said = await tokens.admit(text, { network: toNetwork('192.0.2.1'), kind: 'sdk' }).then(
      ({ kind, environment, projects }) => `${kind} ${environment} ${projects}`,
      ({ reason }: { reason: string }) => `refused: ${reason}`,
    )
    expect(said).toBe(is)
    expect(tokens.find(text) === undefined).toBe(is.startsWith('refused'))
  })

  test.each([
    [{ clientTokens: [''], frontendTokens: [] }, /^CLIENT_TOKENS contains a token that is empty/],
    [{ clientTokens: [], frontendTokens: ['two words'] }, /^FRONTEND_TOKENS contains a token/],
    [{ clientTokens: ['a'], frontendTokens: ['a'] }, /^CLIENT_TOKENS and FRONTEND_TOKENS contain the same token$/],
  ])('%o is refused', (named, says) => {
    expect(() => createOfflineTokens(named)).toThrow(says)
  })
})
