import type { CompileOptions } from '../contract.ts'
import type { DocumentCompilation } from './compilation.ts'
import { rulesOf } from './profile.ts'
import { ContextFields } from './request.ts'

/** Begins the compilation of a document: no context field is numbered yet, no regular expression compiled. */
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
      // evaluation goes on, whatever the listener does
    }
  }
  const custom = new Map(strategies.map((strategy) => [strategy.name, strategy]))
  return {
    fields: new ContextFields(),
    patterns: new Map(),
    custom,
    hostname: hostname?.toLowerCase(),
    profile: rulesOf(profile),
    fail,
  }
}
