import { type Route, routesFor } from '@burgee/kit/http/route'
import { TokensQuestion, ValidTokens } from '@burgee/protocol/evaluation'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'
import { TokenRefused } from '../tokens/token-refusal.ts'
import type { Access } from './access.ts'

const route = routesFor<Access>()
/** Kinds as the wire names them. */
const WIRE_TYPES = { backend: 'client', frontend: 'frontend' } as const

/** What nodes before this one ask about tokens that SDKs show them. Source: wire protocol "Endpoints Edge serves" */
export function validateRoutes(tokens: EdgeTokens): Route<Access>[] {
  return [
    route({
      method: 'POST',
      url: '/edge/validate',
      permission: 'public',
      tag: 'Client',
      summary: 'Which of these tokens are good, and what for; whoever knows a token may ask.',
      body: TokensQuestion,
      replies: { 200: { description: 'The good ones', schema: ValidTokens } },
      problems: ['ValidationFailed', 'NotReady', 'TooLarge', 'MediaType'],
      handle: async ({ body }) => {
        const found = await Promise.all([...new Set(body.tokens)].map((text) => goodToken(tokens, text)))
        return { tokens: found.filter((token) => token !== undefined).map(wireToken) }
      },
    }),
  ]
}

/** Undefined for one that is refused. Rejects where nobody can say: who asks must not take a good one for a bad one. */
async function goodToken(tokens: EdgeTokens, text: string): Promise<EdgeToken | undefined> {
  try {
    return tokens.known(text) ?? (await tokens.admit(text))
  } catch (error) {
    if (error instanceof TokenRefused) return undefined
    throw error
  }
}

function wireToken({ text, kind, environment, projects }: EdgeToken) {
  return { token: text, type: WIRE_TYPES[kind], environment, projects: [...projects], status: 'Validated' }
}
