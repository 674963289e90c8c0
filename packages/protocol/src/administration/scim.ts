import Type, { type Static } from 'typebox'

/** Schemas for provisioning users and groups from a directory (Entra ID, Okta). Source: RFC 7643, RFC 7644 */

/** Media type of all SCIM requests and responses. */
export const SCIM_TYPE = 'application/scim+json'
/** URN of the SCIM schema for users. */
export const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
/** URN of the SCIM schema for groups. */
export const SCIM_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
/** URN of the SCIM schema for lists. */
export const SCIM_LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
/** URN of the SCIM schema for errors. */
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Error response. */
export const ScimError = Type.Object({
  schemas: Type.Array(Type.String()),
  status: Type.String(),
  detail: Type.String(),
  scimType: Type.Optional(Type.String()),
})
export type ScimError = Static<typeof ScimError>

/** User or group. `/scim/v2/Schemas` describes the attributes of the resource. */
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

/** One page of a list of resources. `startIndex` counts from 1. */
export const ScimList = Type.Object({
  schemas: Type.Array(Type.String()),
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
  Resources: Type.Array(Type.Object({}, { additionalProperties: true })),
})
export type ScimList = Static<typeof ScimList>

/** Query parameters of requests for a list of resources or a single resource. */
export const ScimQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 500 })),
  startIndex: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer()),
  attributes: Type.Optional(Type.String({ maxLength: 1000 })),
  excludedAttributes: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type ScimQuery = Static<typeof ScimQuery>

/** Maximum number of characters of a text that SCIM requests set, such as an external id. */
export const MAX_SCIM_TEXT_LENGTH = 255
/** Maximum number of members that the operations of a request name in total. */
export const MAX_SCIM_MEMBERS = 10_000

const Text = Type.String({ maxLength: MAX_SCIM_TEXT_LENGTH })
const Maybe = Type.Optional(Type.Union([Text, Type.Null()]))
const open = { additionalProperties: true } as const

/** Request body that creates or replaces a user. Attributes that this server does not store are ignored. */
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

/** Request body that creates or replaces a group. */
export const ScimGroupInput = Type.Object(
  {
    displayName: Type.String({ minLength: 1, maxLength: 100 }),
    externalId: Maybe,
    members: Type.Optional(Type.Array(Type.Object({ value: Text }, open), { maxItems: MAX_SCIM_MEMBERS })),
  },
  open,
)
export type ScimGroupInput = Static<typeof ScimGroupInput>

/** Request body with operations that are applied in order; either all of them are applied or none. */
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

/** Request body for the provisioning settings. */
export const ScimSettingsInput = Type.Object({ enabled: Type.Boolean() })
export type ScimSettingsInput = Static<typeof ScimSettingsInput>

/** Provisioning settings: whether provisioning is enabled, and whether a token exists. */
export const ScimSettings = Type.Object({ enabled: Type.Boolean(), hasToken: Type.Boolean() })
export type ScimSettings = Static<typeof ScimSettings>

/** New token. No other response contains it. */
export const ScimToken = Type.Object({ token: Type.String() })
