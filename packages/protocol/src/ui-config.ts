import Type, { type Static } from 'typebox'

const Versions = Type.Object({ oss: Type.Optional(Type.String()), enterprise: Type.Optional(Type.String()) })

/** Configuration for user interfaces. Source: spec "UI configuration response". */
export const UiConfig = Type.Object({
  name: Type.String(),
  /**
   * Version of the Unleash API with which this server is compatible, followed by the version of Burgee as build
   * metadata: `5.12.8+burgee.0.1.0`.
   */
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

/** Request body of `POST /api/admin/ui-config/cors`: web origins that may call the frontend API. `*` means all. */
export const CorsSettings = Type.Object({
  frontendApiOrigins: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 }),
})
export type CorsSettings = Static<typeof CorsSettings>

/** Request body that turns maintenance mode on or off, and response with its state. */
export const MaintenanceMode = Type.Object({ enabled: Type.Boolean() })
export type MaintenanceMode = Static<typeof MaintenanceMode>

/** Request body of `POST /api/admin/ui-config`, an older form of `CorsSettings`. */
export const UiSettings = Type.Object({ frontendSettings: CorsSettings })

/** Response of `GET /api/admin/banners`, which is always empty. */
export const Banners = Type.Object({ banners: Type.Array(Type.Object({}), { maxItems: 0 }) })

/** Response of `GET /api/admin/license/check`: no license is required. */
export const LicenseCheck = Type.Object({ isValid: Type.Literal(true) })

/** Response of `GET /api/admin/license`: there is no license, and none is required. */
export const License = Type.Object({}, { additionalProperties: false })

const EmptyList = Type.Array(Type.Object({}), { maxItems: 0 })

/**
 * Response of `GET /api/admin/metrics/rps`, in the format of Prometheus query results. Always empty, because request
 * rates are not measured.
 */
export const RequestRates = Type.Object({
  status: Type.Literal('success'),
  data: Type.Object({ resultType: Type.Literal('matrix'), result: EmptyList }),
})

/** Response of `GET /api/admin/metrics/traffic/{period}`. Always empty, because traffic is not measured. */
export const Traffic = Type.Object({ version: Type.Literal(1), period: Type.String(), apiData: EmptyList })
