import type { DependencyInput } from '@burgee/protocol/batch'
import { type FlagRef, flagPath } from './flags.ts'
import { call, path } from './http.ts'

const dependenciesPath = (ref: FlagRef) => `${flagPath(ref)}/dependencies`

/** Sets the parent of a flag, replacing the previous one. */
export const setParent = (ref: FlagRef, body: DependencyInput) => call<void>('POST', dependenciesPath(ref), body)

/** Removes a parent from a flag. */
export const removeParent = (ref: FlagRef, parent: string) =>
  call<void>('DELETE', `${dependenciesPath(ref)}${path(parent)}`)

/** Lists flags that are allowed as the parent of a flag. */
export const possibleParents = (ref: FlagRef) => call<string[]>('GET', `${flagPath(ref)}/parents`)

/** Lists the variants of a parent in all environments. */
export const parentVariants = (ref: FlagRef) => call<string[]>('GET', `${flagPath(ref)}/parent-variants`)
