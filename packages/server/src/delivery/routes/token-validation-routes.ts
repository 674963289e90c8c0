import type { RateLimitResult } from '@burgee/kit/http/rate-limit'
import { ClientMetricsBulk, TokensQuestion, ValidTokens } from '@burgee/protocol/evaluation'
import Type from 'typebox'
import { tooMany } from '../../core/http/rate-limit-replies.ts'
import { type Routes, route } from '../../core/http/route.ts'

const RejectedReport = Type.Object({ status: Type.String(), reason: Type.String(), help: Type.String() })

/** Endpoints that proxies in front of the server call. Source: wire protocol */
export const edgeRoutes: Routes = [
  route({
    method: 'POST',
    url: '/edge/validate',
    permission: 'public',
    tag: 'Client',
    summary: 'Returns the valid tokens in the request, with their scope; requires no credentials.',
    first: (caller, { limits }) => limits.edgeValidate(caller),
    body: TokensQuestion,
    replies: {
      200: {
        description: 'The valid tokens',
        schema: ValidTokens,
      },
    },
    problems: ['ValidationError', 'ContentTypeerror', 'PayloadTooLargeError', 'RateLimitError'],
    handle: async ({ body, caller }, { tokens, limits }) => {
      const good = []
      let guessed: RateLimitResult | undefined
      for (const token of new Set(body.tokens)) {
        const row = await tokens.find(token)
        if (row === undefined) guessed = limits.wrongToken(caller)
        else good.push({ token, type: row.type, projects: [...row.projects], environment: row.environment })
      }
      // confirm valid tokens even if the same address has sent too many wrong tokens
      return good.length === 0 && guessed !== undefined && guessed.waitMs > 0 ? tooMany(guessed) : { tokens: good }
    },
  }),
  route({
    method: 'POST',
    url: '/edge/metrics',
    permission: 'public',
    tag: 'Client',
    summary: 'Rejects usage reports without a token, as legacy proxies send them: anyone could send them.',
    body: ClientMetricsBulk,
    replies: { 404: { description: 'Not supported', schema: RejectedReport } },
    problems: ['ValidationError', 'ContentTypeerror', 'PayloadTooLargeError'],
    handle: () => ({
      status: 'disabled',
      reason: 'Usage reports without a token are not accepted.',
      help: 'Use a proxy that sends reports with a client token to /api/client/metrics/bulk.',
    }),
  }),
]
