import Type, { type Static } from 'typebox'

/**
 * Settings for the Prometheus server from which charts and safeguards can read values. Source: wire protocol "Guarded
 * releases"
 */

const MAX_URL = 2000
const MAX_HEADER = 4000

/** Maximum length of a PromQL query. */
export const MAX_QUERY = 2000

/** Request body for the Prometheus settings. */
export const PrometheusSettingsInput = Type.Object({
  /** URL without `/api/v1`; if empty, no Prometheus server is read. */
  url: Type.String({ maxLength: MAX_URL }),
  /**
   * Value of the Authorization header, such as `Bearer …`; `*****` keeps the stored value, an empty string removes it.
   */
  authorization: Type.Optional(Type.String({ maxLength: MAX_HEADER })),
})
export type PrometheusSettingsInput = Static<typeof PrometheusSettingsInput>

/** Settings. The Authorization header is masked. */
export const PrometheusSettings = Type.Object({ url: Type.String(), authorization: Type.String() })
export type PrometheusSettings = Static<typeof PrometheusSettings>
