import type { Context } from '@burgee/protocol/context'
import type { RE2JS } from 're2js'
import type { ProfileRules } from './profile.ts'
import type { ContextFields, Request } from './request.ts'

/** An activation strategy of the operator's own. Constraints and segments are checked before it is asked. */
export interface CustomStrategy {
  readonly name: string
  /** A throw, or anything but a boolean, counts as false and goes to `onError`. */
  isEnabled(parameters: Readonly<Record<string, string>>, context: Context): boolean
}

/** Something in a document that cannot work. The part it names is never true; everything else is as defined. */
export interface CompileWarning {
  /** Name of the flag; undefined when the document itself or a segment is meant. */
  readonly feature: string | undefined
  readonly message: string
}

/** Decides one condition for one request. Throws nothing. */
export type Test = (request: Request) => boolean

/** The test of everything malformed. */
export const NEVER: Test = () => false

/** The test of what holds for everybody. */
export const ALWAYS: Test = () => true

/** What the parts of one document share while they compile; with a place for warnings, a {@link Compilation}. */
export type DocumentCompilation = Omit<Compilation, 'warn' | 'flag'>

/** What the parts of a flag may use while they compile. */
export interface Compilation {
  readonly fields: ContextFields
  /** Compiled regular expressions by flags and pattern; undefined for one that is none. */
  readonly patterns: Map<string, RE2JS | undefined>
  readonly custom: ReadonlyMap<string, CustomStrategy>
  /** Lower-cased name of this host; undefined matches no list of hosts. */
  readonly hostname: string | undefined
  readonly profile: ProfileRules
  /** Name of the flag; empty for a segment. */
  readonly flag: string
  /** Says that a part of the flag cannot work. */
  readonly warn: (message: string) => void
  /** Says that a custom strategy failed, at run-time. Throws nothing. */
  readonly fail: (error: unknown, strategy: string) => void
}
