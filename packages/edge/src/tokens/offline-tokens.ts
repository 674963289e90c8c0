import type { EdgeToken, EdgeTokens, TokenListener } from './edge-token.ts'
import { TokenRefused } from './token-refusal.ts'
import { createEdgeToken, TokenStore } from './token-store.ts'
import { isToken, readTokenForm } from './token-syntax.ts'

/** Environment for configured tokens that do not name one themselves. */
export const OFFLINE_ENVIRONMENT = 'development'

/** Configured tokens of a node without an upstream. */
export interface OfflineTokensDeps {
  /**
   * Backend tokens, in any form. Tokens of the form `project:environment.secret` get only the flags of that project;
   * tokens of any other form get every flag.
   */
  readonly clientTokens: readonly string[]
  readonly frontendTokens: readonly string[]
}

/** Creates the fixed tokens of a node without an upstream. Throws for a token that cannot be sent in a header. */
export function createOfflineTokens({ clientTokens, frontendTokens }: OfflineTokensDeps): EdgeTokens {
  const tokens = new TokenStore(Number.POSITIVE_INFINITY)
  for (const text of frontendTokens) tokens.add(offlineToken(text, 'frontend'))
  for (const text of clientTokens) {
    if (tokens.get(text) !== undefined) throw new Error('CLIENT_TOKENS and FRONTEND_TOKENS contain the same token')
    tokens.add(offlineToken(text, 'backend'))
  }
  return {
    find: (text) => tokens.get(text),
    async admit(text) {
      const known = tokens.get(text)
      if (known === undefined) throw new TokenRefused(text === '' ? 'missing' : 'unknown')
      return known
    },
    findById: (id) => tokens.findById(id),
    all: () => tokens.all(),
    subscribe: (listener: TokenListener) => tokens.subscribe(listener),
  }
}

function offlineToken(text: string, kind: EdgeToken['kind']): EdgeToken {
  const option = kind === 'backend' ? 'CLIENT_TOKENS' : 'FRONTEND_TOKENS'
  if (!isToken(text))
    throw new Error(`${option} contains a token that is empty, too long, or not a single word of ASCII`)
  const { projects = ['*'], environment = OFFLINE_ENVIRONMENT } = readTokenForm(text) ?? {}
  return createEdgeToken({ text, kind, environment, projects, origin: 'offline' })
}
