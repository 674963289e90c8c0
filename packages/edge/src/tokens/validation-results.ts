import type { ValidatedToken } from '../upstream/edge-upstream.ts'
import type { EdgeToken } from './edge-token.ts'
import { TokenRefused } from './token-refusal.ts'
import { createEdgeToken } from './token-store.ts'
import { readTokenForm } from './token-syntax.ts'
import type { ValidationResult } from './token-validator.ts'

/** Environment of tokens that are valid in more than one environment. */
export const ANY_ENVIRONMENT = '*'

/**
 * Creates the token for a result of the upstream. An admin token of one environment counts as a backend token. Throws
 * TokenRefused for an invalid token, and for a token without a single environment, because it does not determine whose
 * flags to return.
 */
export function toEdgeToken(text: string, answer: ValidationResult, origin: 'start' | 'upstream'): EdgeToken {
  if (answer === undefined) throw new TokenRefused('unknown')
  const { type, environment, projects } = answer
  if (type === 'other' || environment === ANY_ENVIRONMENT) throw new TokenRefused('kind')
  return createEdgeToken({ text, kind: type === 'frontend' ? 'frontend' : 'backend', environment, projects, origin })
}

/**
 * Creates results from the texts of the tokens, for an upstream without `/edge/validate`. Omits tokens of several
 * projects, because their text does not name the projects.
 */
export function toValidationResults(texts: readonly string[]): ReadonlyMap<string, ValidatedToken> {
  const answers = new Map<string, ValidatedToken>()
  for (const token of texts) {
    const { environment, projects } = readTokenForm(token) ?? {}
    if (environment !== undefined && projects !== undefined)
      answers.set(token, { token, type: 'backend', environment, projects })
  }
  return answers
}

/** Returns true if two tokens with the same text have the same kind, origin and scope. */
export function isSameToken(one: EdgeToken, other: EdgeToken): boolean {
  const scopeOf = ({ kind, environment, projects, origin }: EdgeToken) =>
    JSON.stringify([kind, environment, origin, ...projects])
  return scopeOf(one) === scopeOf(other)
}

/**
 * Returns the size of a scope. Tokens with the largest scopes are added first, so that no flags are fetched with tokens
 * whose scope is part of a larger one.
 */
export function getScopeWidth(answer: ValidationResult): number {
  if (answer === undefined) return -1
  return answer.projects.includes('*') ? Number.MAX_SAFE_INTEGER : answer.projects.length
}
