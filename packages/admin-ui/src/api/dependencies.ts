import type { DependencyInput } from '@burgee/protocol/batch'
import { type FlagRef, getFlagPath } from './flags.ts'
import { buildPath, call } from './http.ts'

const getDependenciesPath = (ref: FlagRef) => `${getFlagPath(ref)}/dependencies`

/** Sets the parent of a flag and replaces the previous parent. */
export const setParent = (ref: FlagRef, body: DependencyInput) => call<void>('POST', getDependenciesPath(ref), body)

/** Removes a parent from a flag. */
export const removeParent = (ref: FlagRef, parent: string) =>
  call<void>('DELETE', `${getDependenciesPath(ref)}${buildPath(parent)}`)

/** Lists flags that are allowed as the parent of a flag. */
export const fetchPossibleParents = (ref: FlagRef) => call<string[]>('GET', `${getFlagPath(ref)}/parents`)

/** Lists the variants of a parent in all environments. */
export const fetchParentVariants = (ref: FlagRef) => call<string[]>('GET', `${getFlagPath(ref)}/parent-variants`)
