import Type, { type Static } from 'typebox'
import { CONFIG_FILE_KINDS } from './config-files.ts'
import { MANAGED_SOURCE } from './managed-by.ts'

/** Object that files describe, and its file. */
export const ConfigOrigin = Type.Object({
  project: Type.String(),
  kind: Type.Enum([...(Object.keys(CONFIG_FILE_KINDS) as (keyof typeof CONFIG_FILE_KINDS)[])]),
  name: Type.String(),
  ...MANAGED_SOURCE,
})
export type ConfigOrigin = Static<typeof ConfigOrigin>

/** Objects that files describe, sorted by project, kind and name. */
export const ConfigOrigins = Type.Object({ origins: Type.Array(ConfigOrigin) })
export type ConfigOrigins = Static<typeof ConfigOrigins>

/** Filter for objects that files describe. */
export const ConfigOriginsQuery = Type.Object({
  project: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})
