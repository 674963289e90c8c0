import Type, { type Static } from 'typebox'

/** Schemas for signal endpoints, to which other systems send alerts. Source: wire protocol "Guarded releases" */

/** Maximum number of signal endpoints. */
export const MAX_SIGNAL_ENDPOINTS = 100
/** Maximum number of alerts in one signal. */
export const MAX_ALERTS = 1000

const Time = Type.String({ format: 'date-time' })
const OPEN = { additionalProperties: true }
/** Text of an alert; longer texts are truncated. */
const Text = Type.String({ maxLength: 10_000 })

/** Request body that creates a signal endpoint. */
export const SignalEndpointInput = Type.Object({ name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }) })
export type SignalEndpointInput = Static<typeof SignalEndpointInput>

/** Signal endpoint without its token. */
export const SignalEndpoint = Type.Object({
  name: Type.String(),
  createdByUserId: Type.Integer(),
  createdAt: Time,
  lastUsedAt: Type.Union([Time, Type.Null()]),
})
export type SignalEndpoint = Static<typeof SignalEndpoint>

/** New signal endpoint with its token. Only this response contains the token. */
export const CreatedSignalEndpoint = Type.Object({ ...SignalEndpoint.properties, token: Type.String() })

/** Alert within a webhook request from Prometheus Alertmanager. */
const Alert = Type.Object(
  {
    status: Type.Optional(Type.String({ maxLength: 100 })),
    labels: Type.Optional(Type.Record(Type.String(), Text)),
    annotations: Type.Optional(Type.Record(Type.String(), Text)),
  },
  OPEN,
)

/**
 * Signal: either a webhook request from Alertmanager, or a single alert from another system. `alertname` or `rule` is
 * the name of the alert. An alert that names a flag or an environment trips only the safeguards of that flag or in that
 * environment.
 */
export const Signal = Type.Object(
  {
    /** Status of the alert, `firing` by default. Alerts with another status are ignored. */
    status: Type.Optional(Type.String({ maxLength: 100 })),
    alerts: Type.Optional(Type.Array(Alert, { maxItems: MAX_ALERTS })),
    /** Name of the alert, for requests with a single alert instead of `alerts`. */
    rule: Type.Optional(Type.String({ minLength: 1, maxLength: 1100 })),
    flag: Type.Optional(Type.String({ maxLength: 1000 })),
    environment: Type.Optional(Type.String({ maxLength: 1000 })),
    message: Type.Optional(Text),
  },
  OPEN,
)
export type Signal = Static<typeof Signal>
