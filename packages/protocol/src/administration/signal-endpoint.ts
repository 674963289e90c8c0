import Type, { type Static } from 'typebox'

/** Schemas of the endpoints to which other systems send alerts. Source: wire protocol "Guarded releases" */

/** Maximum number of signal endpoints. */
export const MAX_SIGNAL_ENDPOINTS = 100
/** Maximum number of alerts in a signal. */
export const MAX_ALERTS = 1000

const Time = Type.String({ format: 'date-time' })
const OPEN = { additionalProperties: true }
/** Maximum length of the text of an alert; longer texts are truncated. */
const Text = Type.String({ maxLength: 10_000 })

/** Body that creates a signal endpoint. */
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

/** New signal endpoint with its token. Only this reply contains the token. */
export const CreatedSignalEndpoint = Type.Object({ ...SignalEndpoint.properties, token: Type.String() })

/** Alert in a webhook request of Prometheus Alertmanager. */
const Alert = Type.Object(
  {
    status: Type.Optional(Type.String({ maxLength: 100 })),
    labels: Type.Optional(Type.Record(Type.String(), Text)),
    annotations: Type.Optional(Type.Record(Type.String(), Text)),
  },
  OPEN,
)

/**
 * Signal: a webhook request of Alertmanager, or a single alert of another system. `alertname` or `rule` is the name of
 * the alert. An alert that names a flag or an environment trips only safeguards there.
 */
export const Signal = Type.Object(
  {
    /** Status of the alert, `firing` by default. Alerts with another status are ignored. */
    status: Type.Optional(Type.String({ maxLength: 100 })),
    alerts: Type.Optional(Type.Array(Alert, { maxItems: MAX_ALERTS })),
    /** Name of a single alert, for requests without `alerts`. */
    rule: Type.Optional(Type.String({ minLength: 1, maxLength: 1100 })),
    flag: Type.Optional(Type.String({ maxLength: 1000 })),
    environment: Type.Optional(Type.String({ maxLength: 1000 })),
    message: Type.Optional(Text),
  },
  OPEN,
)
export type Signal = Static<typeof Signal>
