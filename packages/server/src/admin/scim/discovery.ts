import { SCIM_GROUP, SCIM_USER } from '@burgee/protocol/administration/scim'

/** SCIM discovery documents. Source: RFC 7643 §5–7 */

const UNSUPPORTED = { supported: false } as const

/** Returns the SCIM features that the server supports. */
export function serviceProviderConfig(base: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { ...UNSUPPORTED, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: UNSUPPORTED,
    sort: UNSUPPORTED,
    etag: UNSUPPORTED,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token created by an administrator',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/scim/v2/ServiceProviderConfig` },
  }
}

/** Returns the SCIM resource types. */
export function resourceTypes(base: string) {
  const typeOf = (name: string, schema: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/scim/v2/ResourceTypes/${name}` },
  })
  return [typeOf('User', SCIM_USER), typeOf('Group', SCIM_GROUP)]
}

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const several = (name: string, subAttributes: readonly object[]) =>
  attribute(name, { type: 'complex', multiValued: true, subAttributes })

/** Returns the attributes of the resource types. */
export function schemas(base: string) {
  const schemaOf = (id: string, name: string, attributes: readonly object[]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/scim/v2/Schemas/${id}` },
  })
  const names = ['formatted', 'givenName', 'familyName'].map((name) => attribute(name))
  return [
    schemaOf(SCIM_USER, 'User', [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('displayName'),
      attribute('name', { type: 'complex', subAttributes: names }),
      several('emails', [attribute('value'), attribute('primary', { type: 'boolean' })]),
      attribute('active', { type: 'boolean' }),
    ]),
    schemaOf(SCIM_GROUP, 'Group', [
      attribute('displayName', { required: true, caseExact: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      several('members', [attribute('value', { caseExact: true }), attribute('display', { mutability: 'readOnly' })]),
    ]),
  ]
}
