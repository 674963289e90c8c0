import type { DependencyInput } from '@burgee/protocol/batch'
import { type FlagRef, getFlagPath } from './flags.ts'
import { buildPath, call } from './http.ts'

const getDependenciesPath = (ref: FlagRef) => `${getFlagPath(ref)}/dependencies`

/** Sets the parent of a flag, replacing the previous one. */
export const setParent = (ref: FlagRef, body: DependencyInput) => call<void>('POST', getDependenciesPath(ref), body)

/** Removes a parent from a flag. */
export const removeParent = (ref: FlagRef, parent: string) =>
  call<void>('DELETE', `${getDependenciesPath(ref)}${buildPath(parent)}`)

/** Lists flags that could become the parent of a flag. */
export const fetchPossibleParents = (ref: FlagRef) => call<string[]>('GET', `${getFlagPath(ref)}/parents`)

/** Lists the variants that a parent flag has in any environment. */
export const fetchParentVariants = (ref: FlagRef) => call<string[]>('GET', `${getFlagPath(ref)}/parent-variants`)
