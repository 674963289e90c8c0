import Type, { type Static } from 'typebox'

const Versions = Type.Object({ oss: Type.Optional(Type.String()), enterprise: Type.Optional(Type.String()) })

/** What a user interface needs to know of its server. Source: spec "UI configuration response". */
export const UiConfig = Type.Object({
  name: Type.String(),
  /** `5.12.8+burgee.0.1.0`: whose API this is, and as build metadata our own version. */
  version: Type.String(),
  environment: Type.String(),
  unleashUrl: Type.String(),
  baseUriPath: Type.String(),
  disablePasswordAuth: Type.Boolean(),
  emailEnabled: Type.Boolean(),
  maintenanceMode: Type.Boolean(),
  segmentValuesLimit: Type.Number({ deprecated: true }),
  strategySegmentsLimit: Type.Number({ deprecated: true }),
  resourceLimits: Type.Record(Type.String(), Type.Number()),
  networkViewEnabled: Type.Boolean(),
  frontendApiOrigins: Type.Array(Type.String()),
  flags: Type.Record(Type.String(), Type.Boolean()),
  links: Type.Array(
    Type.Object({ value: Type.String(), icon: Type.String(), href: Type.String(), title: Type.String() }),
  ),
  authenticationType: Type.Enum(['open-source', 'demo', 'enterprise', 'hosted', 'custom', 'none']),
  versionInfo: Type.Object({
    current: Versions,
    latest: Versions,
    isLatest: Type.Boolean(),
    instanceId: Type.String(),
  }),
})
export type UiConfig = Static<typeof UiConfig>

/** Body of `POST /api/admin/ui-config/cors`: which web pages may call the frontend API. `*` is all of them. */
export const CorsSettings = Type.Object({
  frontendApiOrigins: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 }),
})
export type CorsSettings = Static<typeof CorsSettings>

/** Body that turns maintenance mode on or off, and reply of whether it is on. */
export const MaintenanceMode = Type.Object({ enabled: Type.Boolean() })
export type MaintenanceMode = Static<typeof MaintenanceMode>

/** Body of `POST /api/admin/ui-config`, the older form of the same. */
export const UiSettings = Type.Object({ frontendSettings: CorsSettings })

/** Reply of `GET /api/admin/banners`: none are offered. */
export const Banners = Type.Object({ banners: Type.Array(Type.Object({}), { maxItems: 0 }) })

/** Reply of `GET /api/admin/license/check`: no license is needed. */
export const LicenseCheck = Type.Object({ isValid: Type.Literal(true) })

/** Reply of `GET /api/admin/license`: there is none, and none is needed. */
export const License = Type.Object({}, { additionalProperties: false })

const Nothing = Type.Array(Type.Object({}), { maxItems: 0 })

/** Reply of `GET /api/admin/metrics/rps`, in the form of Prometheus: nothing is measured here. */
export const RequestRates = Type.Object({
  status: Type.Literal('success'),
  data: Type.Object({ resultType: Type.Literal('matrix'), result: Nothing }),
})

/** Reply of `GET /api/admin/metrics/traffic/{period}`: nothing is measured here. */
export const Traffic = Type.Object({ version: Type.Literal(1), period: Type.String(), apiData: Nothing })
