import Type, { type Static } from 'typebox'

/** Settings of the Prometheus server that charts and safeguards can read. Source: wire protocol "Guarded releases" */

const MAX_URL = 2000
const MAX_HEADER = 4000

/** Maximum length of a PromQL query. */
export const MAX_QUERY = 2000

/** Body of the settings. */
export const PrometheusSettingsInput = Type.Object({
  /** Address without `/api/v1`; empty to read no Prometheus server. */
  url: Type.String({ maxLength: MAX_URL }),
  /** Authorization header, such as `Bearer …`; `*****` keeps the stored one, an empty string removes it. */
  authorization: Type.Optional(Type.String({ maxLength: MAX_HEADER })),
})
export type PrometheusSettingsInput = Static<typeof PrometheusSettingsInput>

/** Settings. The header is masked. */
export const PrometheusSettings = Type.Object({ url: Type.String(), authorization: Type.String() })
export type PrometheusSettings = Static<typeof PrometheusSettings>
