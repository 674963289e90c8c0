import type { DependencyInput } from '@burgee/protocol/batch'
import { type FlagRef, flagPath } from './flags.ts'
import { call, path } from './http.ts'

const dependenciesPath = (ref: FlagRef) => `${flagPath(ref)}/dependencies`

/** Gives a flag its parent, in the place of the one it had. */
export const setParent = (ref: FlagRef, body: DependencyInput) => call<void>('POST', dependenciesPath(ref), body)

/** Takes a parent from a flag. */
export const removeParent = (ref: FlagRef, parent: string) =>
  call<void>('DELETE', `${dependenciesPath(ref)}${path(parent)}`)

/** Flags that may be the parent of a flag. */
export const possibleParents = (ref: FlagRef) => call<string[]>('GET', `${flagPath(ref)}/parents`)

/** Variants that a parent may give, in any environment. */
export const parentVariants = (ref: FlagRef) => call<string[]>('GET', `${flagPath(ref)}/parent-variants`)
