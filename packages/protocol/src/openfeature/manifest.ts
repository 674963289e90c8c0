import Type, { type Static } from 'typebox'

/**
 * OpenFeature flag manifest, in the form that the OpenFeature CLI pulls and pushes. Source: Manifest Management API v0.
 */

/** Flag types. The API document does not list `float`, but the CLI sends this type. */
export const ManifestType = Type.Enum(['boolean', 'string', 'integer', 'float', 'object'])
export type ManifestType = Static<typeof ManifestType>

/** Flag of the manifest. The default value has the flag's type and is never null. */
export const ManifestFlag = Type.Object({
  key: Type.String(),
  name: Type.String(),
  type: ManifestType,
  defaultValue: Type.Unknown(),
  description: Type.Optional(Type.String()),
})
export type ManifestFlag = Static<typeof ManifestFlag>

/** All flags of the caller. */
export const Manifest = Type.Object({ flags: Type.Array(ManifestFlag) })
export type Manifest = Static<typeof Manifest>

const COMMON = {
  key: Type.String({ minLength: 1, maxLength: 100 }),
  type: ManifestType,
  /** Accepted but not stored, because a flag has no name besides its key. */
  name: Type.Optional(Type.String({ maxLength: 5000 })),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
}

/** Body that adds a flag. */
export const CreateManifestFlag = Type.Object(
  { ...COMMON, defaultValue: Type.Unknown() },
  { additionalProperties: false },
)
export type CreateManifestFlag = Static<typeof CreateManifestFlag>

/** Body that changes a flag; omitted fields keep their values. */
export const UpdateManifestFlag = Type.Object(
  { ...COMMON, defaultValue: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
)
export type UpdateManifestFlag = Static<typeof UpdateManifestFlag>

/** Flag after a change. */
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
