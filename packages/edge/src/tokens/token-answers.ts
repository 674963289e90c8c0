import type { ValidatedToken } from '../upstream/edge-upstream.ts'
import type { EdgeToken } from './edge-token.ts'
import { edgeToken } from './known-tokens.ts'
import { readTokenForm } from './token-form.ts'
import type { TokenAnswer } from './token-questions.ts'
import { TokenRefused } from './token-refusal.ts'

/** The environment of tokens that are for no single one. */
export const ANY_ENVIRONMENT = '*'

/**
 * The token that an answer of the upstream means. An administrator's token of one environment counts as a backend token; one
 * of no single environment cannot be used here, as nobody could say whose flags it gets. Throws TokenRefused.
 */
export function tokenOf(text: string, answer: TokenAnswer, origin: 'start' | 'upstream'): EdgeToken {
  if (answer === undefined) throw new TokenRefused('unknown')
  const { type, environment, projects } = answer
  if (type === 'other' || environment === ANY_ENVIRONMENT) throw new TokenRefused('kind')
  return edgeToken({ text, kind: type === 'frontend' ? 'frontend' : 'backend', environment, projects, origin })
}

/**
 * What tokens say of themselves, as if the upstream had said it, for one that cannot be asked. Left out are those of several
 * projects, which their text does not name.
 */
export function answersByForm(texts: readonly string[]): ReadonlyMap<string, ValidatedToken> {
  const answers = new Map<string, ValidatedToken>()
  for (const token of texts) {
    const { environment, projects } = readTokenForm(token) ?? {}
    if (environment !== undefined && projects !== undefined)
      answers.set(token, { token, type: 'backend', environment, projects })
  }
  return answers
}

/** Whether two tokens of one text are good for the same. */
export function isSameToken(one: EdgeToken, other: EdgeToken): boolean {
  const scopeOf = ({ kind, environment, projects, origin }: EdgeToken) =>
    JSON.stringify([kind, environment, origin, ...projects])
  return scopeOf(one) === scopeOf(other)
}

/** Grows with what a token gets; the widest ones go first, so that nothing is fetched for those that they subsume. */
export function widthOf(answer: TokenAnswer): number {
  if (answer === undefined) return -1
  return answer.projects.includes('*') ? Number.MAX_SAFE_INTEGER : answer.projects.length
}
