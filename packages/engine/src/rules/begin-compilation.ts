import type { CompileOptions } from '../contract.ts'
import type { DocumentCompilation } from './compilation.ts'
import { getProfileRules } from './profile.ts'
import { ContextFields } from './request.ts'

/** Creates the shared state of a compilation. The new state has no context fields and no regular expressions yet. */
export function beginCompilation({
  strategies = [],
  hostname,
  onError,
  profile = 'node',
}: CompileOptions): DocumentCompilation {
  const fail = (error: unknown, strategy: string) => {
    try {
      onError?.(error, strategy)
    } catch {
      // a callback that fails must not stop the evaluation
    }
  }
  const custom = new Map(strategies.map((strategy) => [strategy.name, strategy]))
  return {
    fields: new ContextFields(),
    patterns: new Map(),
    custom,
    hostname: hostname?.toLowerCase(),
    profile: getProfileRules(profile),
    fail,
  }
}
