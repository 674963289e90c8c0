import type { Context } from '@burgee/protocol/context'
import type { PatternSearch } from './pattern.ts'
import type { ProfileRules } from './profile.ts'
import type { ContextFields, Request } from './request.ts'

/** Custom activation strategy. The strategy is only called if its constraints and segments hold. */
export interface CustomStrategy {
  readonly name: string
  /** An exception, or a result that is not boolean, counts as false and is reported to `onError`. */
  isEnabled(parameters: Readonly<Record<string, string>>, context: Context): boolean
}

/** Part of a document that cannot be used. An unusable part never matches; all other parts work as defined. */
export interface CompileWarning {
  /** Name of the flag; undefined if the part belongs to the document itself or to a segment. */
  readonly feature: string | undefined
  readonly message: string
}

/** Function that evaluates one condition for one request. Never throws. */
export type Test = (request: Request) => boolean

/** Condition of a malformed part, which is never true. */
export const NEVER: Test = () => false

/** Condition that is always true. */
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
  /** Name of this host in lower case. If undefined, no list of hosts ever matches. */
  readonly hostname: string | undefined
  readonly profile: ProfileRules
  /** Name of the flag; empty for a segment. */
  readonly flag: string
  /** Reports that a part of the flag cannot be used. */
  readonly warn: (message: string) => void
  /** Reports that a custom strategy failed at run time. Never throws. */
  readonly fail: (error: unknown, strategy: string) => void
}
