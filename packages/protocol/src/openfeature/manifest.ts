import Type, { type Static } from 'typebox'

/**
 * OpenFeature flag manifest, in the form that the OpenFeature CLI uses for pull and push. Source: Manifest Management
 * API v0.
 */

/** Flag types. The API document does not list `float`, but the CLI sends it. */
export const ManifestType = Type.Enum(['boolean', 'string', 'integer', 'float', 'object'])
export type ManifestType = Static<typeof ManifestType>

/** Flag in the manifest. The default value has the type of the flag and is never null. */
export const ManifestFlag = Type.Object({
  key: Type.String(),
  name: Type.String(),
  type: ManifestType,
  defaultValue: Type.Unknown(),
  description: Type.Optional(Type.String()),
})
export type ManifestFlag = Static<typeof ManifestFlag>

/** Manifest with all flags that the caller may see. */
export const Manifest = Type.Object({ flags: Type.Array(ManifestFlag) })
export type Manifest = Static<typeof Manifest>

const COMMON = {
  key: Type.String({ minLength: 1, maxLength: 100 }),
  type: ManifestType,
  /** Accepted but not stored, because the only name of a flag is its key. */
  name: Type.Optional(Type.String({ maxLength: 5000 })),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
}

/** Request body that adds a flag. */
export const CreateManifestFlag = Type.Object(
  { ...COMMON, defaultValue: Type.Unknown() },
  { additionalProperties: false },
)
export type CreateManifestFlag = Static<typeof CreateManifestFlag>

/** Request body that changes a flag; omitted properties keep their stored values. */
export const UpdateManifestFlag = Type.Object(
  { ...COMMON, defaultValue: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
)
export type UpdateManifestFlag = Static<typeof UpdateManifestFlag>

/** Flag after it was added or changed. */
export const ManifestChange = Type.Object({ flag: ManifestFlag, updatedAt: Type.String() })

/** Response to the removal of a flag. */
export const ManifestArchival = Type.Object({
  message: Type.String(),
  archivedAt: Type.Union([Type.String(), Type.Null()]),
})

/** Error response. */
export const ManifestError = Type.Object({
  error: Type.Object({
    message: Type.String(),
    status: Type.Integer(),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.Optional(Type.String()),
          code: Type.Optional(Type.String()),
          message: Type.String(),
        }),
      ),
    ),
  }),
})
export type ManifestError = Static<typeof ManifestError>
