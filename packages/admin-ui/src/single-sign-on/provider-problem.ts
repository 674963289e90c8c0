import { ApiError } from '../api/http.ts'
import type { SSO_TEXTS } from './texts.ts'

type Words = typeof SSO_TEXTS.en.problems
type Reason = keyof Words

/** Patterns of the server's messages about a provider. Text captured by a pattern is inserted into the reason. */
const REASONS: readonly (readonly [RegExp, Reason])[] = [
  [/names another issuer/, 'otherIssuer'],
  [/^The provider rejects this client/, 'client'],
  [/does not sign ID tokens with (\S+)$/, 'algorithm'],
  [/does not answer in time$/, 'late'],
  [/certificate is not trusted \((.+)\)$/, 'certificate'],
  [/^The provider cannot be used: its answer is not/, 'noConfiguration'],
  [/^The provider cannot be used: it answers with status (\d+)$/, 'status'],
  [/^The provider cannot be used: (E[A-Z_]+)$/, 'unreachable'],
]

/** Setting that the server has rejected, and the reason in the user's language. */
export interface ProviderProblem {
  /** Name of the setting in the API, such as `discoverUrl`. */
  readonly setting: string
  readonly text: string
}

/** Returns the reason why the server cannot use a provider; undefined for other errors. */
export function findProviderProblem(words: Words, error: unknown): ProviderProblem | undefined {
  const [detail] = error instanceof ApiError ? (error.body.details ?? []) : []
  if (detail === undefined) return undefined
  for (const [pattern, reason] of REASONS) {
    const found = pattern.exec(detail.message)
    if (found === null) continue
    const word = words[reason]
    const text = typeof word === 'string' ? word : word(found[1] ?? '')
    return { setting: (detail.path ?? '').replace(/^body\//, ''), text }
  }
  return undefined
}
