import Type, { type Static } from 'typebox'

/** Properties of the file that manages an object. */
export const MANAGED_SOURCE = {
  repository: Type.String(),
  commit: Type.String(),
  /** Path of the file, relative to the folder of the project. */
  path: Type.String(),
  appliedAt: Type.String({ format: 'date-time' }),
  /** Time of the first change by hand since the last apply; null if there was none. */
  driftedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
}

/** File that manages a flag, and the commit that was applied last. */
export const ManagedBy = Type.Object({ type: Type.Literal('git'), ...MANAGED_SOURCE })
export type ManagedBy = Static<typeof ManagedBy>
