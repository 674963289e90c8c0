import type { Context } from '@burgee/protocol/context'
import type { PatternSearch } from './pattern.ts'
import type { ProfileRules } from './profile.ts'
import type { ContextFields, Request } from './request.ts'

/** Custom activation strategy. The strategy is only called if its constraints and segments hold. */
export interface CustomStrategy {
  readonly name: string
  /** An exception or a non-boolean result counts as false and is reported to `onError`. */
  isEnabled(parameters: Readonly<Record<string, string>>, context: Context): boolean
}

/** Unusable part of a document. This part never matches; all other parts work as defined. */
export interface CompileWarning {
  /** Name of the flag; undefined for the document itself or a segment. */
  readonly feature: string | undefined
  readonly message: string
}

/** Evaluates one condition for one request. Never throws. */
export type Test = (request: Request) => boolean

/** Test for malformed parts. */
export const NEVER: Test = () => false

/** Test that always holds. */
export const ALWAYS: Test = () => true

/**
 * State shared by all parts of one document during compilation. Adding a flag and `warn` turns it into a {@link
 * Compilation}.
 */
export type DocumentCompilation = Omit<Compilation, 'warn' | 'flag'>

/** State available to the parts of a flag during compilation. */
export interface Compilation {
  readonly fields: ContextFields
  /** Compiled regular expressions by flags and pattern; undefined for an invalid pattern. */
  readonly patterns: Map<string, PatternSearch | undefined>
  readonly custom: ReadonlyMap<string, CustomStrategy>
  /** Name of this host in lower case. If undefined, no list of hosts matches. */
  readonly hostname: string | undefined
  readonly profile: ProfileRules
  /** Name of the flag; empty for a segment. */
  readonly flag: string
  /** Reports that a part of the flag is unusable. */
  readonly warn: (message: string) => void
  /** Reports that a custom strategy failed at run time. Never throws. */
  readonly fail: (error: unknown, strategy: string) => void
}
