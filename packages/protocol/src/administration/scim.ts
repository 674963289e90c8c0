import Type, { type Static } from 'typebox'

/** What a directory of people (Entra ID, Okta) sends to keep people and groups here as they are there. Source: RFC 7643, RFC 7644 */

/** Media type of all of it. */
export const SCIM_TYPE = 'application/scim+json'
/** Name of the schema of people. */
export const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
/** Name of the schema of groups. */
export const SCIM_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
/** Name of the schema of lists. */
export const SCIM_LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
/** Name of the schema of changes. */
export const SCIM_PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
/** Name of the schema of failures. */
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** What a failure reads like. */
export const ScimError = Type.Object({
  schemas: Type.Array(Type.String()),
  status: Type.String(),
  detail: Type.String(),
  scimType: Type.Optional(Type.String()),
})
export type ScimError = Static<typeof ScimError>

/** A person or a group; which attributes it has is said by `/scim/v2/Schemas`. */
export const ScimResource = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    id: Type.String(),
    meta: Type.Object({
      resourceType: Type.String(),
      created: Type.Optional(Type.String()),
      location: Type.String(),
    }),
  },
  { additionalProperties: true },
)
export type ScimResource = Static<typeof ScimResource> & Readonly<Record<string, unknown>>

/** A part of a list. `startIndex` counts from 1. */
export const ScimList = Type.Object({
  schemas: Type.Array(Type.String()),
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
  Resources: Type.Array(Type.Object({}, { additionalProperties: true })),
})
export type ScimList = Static<typeof ScimList>

/** What may be asked of a list, and of one. */
export const ScimQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 500 })),
  startIndex: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer()),
  attributes: Type.Optional(Type.String({ maxLength: 1000 })),
  excludedAttributes: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type ScimQuery = Static<typeof ScimQuery>

const Text = Type.String({ maxLength: 255 })
const Maybe = Type.Optional(Type.Union([Text, Type.Null()]))
const open = { additionalProperties: true } as const

/** Body that makes or replaces a person; what is not kept here is taken and forgotten. */
export const ScimUserInput = Type.Object(
  {
    userName: Type.String({ minLength: 1, maxLength: 255 }),
    externalId: Maybe,
    displayName: Maybe,
    name: Type.Optional(Type.Object({ formatted: Maybe, givenName: Maybe, familyName: Maybe }, open)),
    emails: Type.Optional(
      Type.Array(Type.Object({ value: Text, primary: Type.Optional(Type.Boolean()) }, open), { maxItems: 20 }),
    ),
    active: Type.Optional(Type.Boolean()),
  },
  open,
)
export type ScimUserInput = Static<typeof ScimUserInput>

/** Body that makes or replaces a group. */
export const ScimGroupInput = Type.Object(
  {
    displayName: Type.String({ minLength: 1, maxLength: 100 }),
    externalId: Maybe,
    members: Type.Optional(Type.Array(Type.Object({ value: Text }, open), { maxItems: 10_000 })),
  },
  open,
)
export type ScimGroupInput = Static<typeof ScimGroupInput>

/** Body of changes, one after the other, all or none. */
export const ScimPatch = Type.Object(
  {
    Operations: Type.Array(
      Type.Object(
        { op: Text, path: Type.Optional(Type.String({ maxLength: 500 })), value: Type.Optional(Type.Unknown()) },
        open,
      ),
      { minItems: 1, maxItems: 1000 },
    ),
  },
  open,
)
export type ScimPatch = Static<typeof ScimPatch>

/** Body of the settings. */
export const ScimSettingsInput = Type.Object({ enabled: Type.Boolean() })
export type ScimSettingsInput = Static<typeof ScimSettingsInput>

/** Whether directories may come, and whether there is a token for them. */
export const ScimSettings = Type.Object({ enabled: Type.Boolean(), hasToken: Type.Boolean() })
export type ScimSettings = Static<typeof ScimSettings>

/** A new token; its text is in this reply and nowhere else. */
export const ScimToken = Type.Object({ token: Type.String() })
