import Type, { type Static } from 'typebox'
import { Event } from '../event.ts'

const Names = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500 })

/**
 * Placeholder that stands in for a secret in responses. In a request, the placeholder stands for the stored secret,
 * which then remains unchanged. Source: wire protocol
 */
export const MASK = '*****'

/** Request body for a new or changed integration. Source: wire protocol */
export const IntegrationInput = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 100 }),
    enabled: Type.Boolean(),
    description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
    /**
     * Values by parameter name; the provider determines the parameters. Responses never contain the values of sensitive
     * parameters.
     */
    parameters: Type.Record(Type.String(), Type.String({ maxLength: 20_000 }), { maxProperties: 50 }),
    /** Types of the events to deliver. */
    events: Names,
    /** Projects whose events are delivered. Empty or `*` means all projects. */
    projects: Type.Optional(Names),
    /** Environments whose events are delivered; empty means all. Events without an environment are always delivered. */
    environments: Type.Optional(Names),
  },
  // so that clients can send a complete response back as a request
  { additionalProperties: true },
)
export type IntegrationInput = Static<typeof IntegrationInput>

/** Integration in responses of the admin API, with sensitive parameters masked. Source: wire protocol */
export const Integration = Type.Object({
  id: Type.Integer(),
  provider: Type.String(),
  enabled: Type.Boolean(),
  description: Type.Union([Type.String(), Type.Null()]),
  parameters: Type.Record(Type.String(), Type.String()),
  events: Type.Array(Type.String()),
  projects: Type.Array(Type.String()),
  /**
   * Number of the integration's projects that the caller may not see; omitted if there are none. If this property is
   * present, an empty `projects` does not mean all projects, and only callers who see every project can change the
   * integration. Burgee extension.
   */
  hiddenProjects: Type.Optional(Type.Integer({ minimum: 1 })),
  environments: Type.Array(Type.String()),
  createdAt: Type.String(),
})
export type Integration = Static<typeof Integration>

/** Parameter of a provider, with the data that a form needs. Source: wire protocol */
export const IntegrationParameter = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  placeholder: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  type: Type.Union([Type.Literal('text'), Type.Literal('url'), Type.Literal('textfield')]),
  required: Type.Boolean(),
  sensitive: Type.Boolean(),
})
export type IntegrationParameter = Static<typeof IntegrationParameter>

/** Kind of integration. Source: wire protocol */
export const IntegrationProvider = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  description: Type.String(),
  documentationUrl: Type.String(),
  howTo: Type.Optional(Type.String()),
  deprecated: Type.Optional(Type.String()),
  parameters: Type.Array(IntegrationParameter),
  events: Type.Array(Type.String()),
  tagTypes: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), description: Type.String(), icon: Type.String() })),
  ),
})
export type IntegrationProvider = Static<typeof IntegrationProvider>

const Nullable = (schema: ReturnType<typeof Type.Integer>) => Type.Union([schema, Type.Null()])

/**
 * Result of an attempt to deliver an event. Source: wire protocol; `status` and the following properties are Burgee
 * extensions.
 */
export const IntegrationEvent = Type.Object({
  id: Type.String(),
  integrationId: Type.Integer(),
  createdAt: Type.String(),
  state: Type.Union([Type.Literal('success'), Type.Literal('failed'), Type.Literal('successWithErrors')]),
  /** Error message without secrets; empty on success. */
  stateDetails: Type.String(),
  /** Delivered event; null for a test delivery, or if the event is no longer stored. */
  event: Type.Union([Event, Type.Null()]),
  details: Type.Object({
    /** Time of the next attempt; null if no further attempt is planned. */
    nextAttemptAt: Type.Union([Type.String(), Type.Null()]),
  }),
  /** HTTP status of the response; null if no response was received. */
  status: Nullable(Type.Integer()),
  durationMs: Type.Integer(),
  /** Number of the attempt, starting at 1. */
  attempt: Type.Integer(),
  /** Id of the event; null for a test delivery or a report of dropped deliveries. */
  eventId: Nullable(Type.Integer()),
})
export type IntegrationEvent = Static<typeof IntegrationEvent>

/** Response with the delivery log of an integration, newest entry first. Source: wire protocol */
export const IntegrationEvents = Type.Object({ integrationEvents: Type.Array(IntegrationEvent) })

/** Delivery status of an integration. */
export const IntegrationStatus = Type.Object({
  integrationId: Type.Integer(),
  /** Number of events that still have to be delivered. */
  waiting: Type.Integer(),
  /** Result of the last attempt; null before the first attempt. */
  last: Type.Union([Type.Pick(IntegrationEvent, ['createdAt', 'state', 'status']), Type.Null()]),
})
export type IntegrationStatus = Static<typeof IntegrationStatus>

/** Response with the list of integrations. */
export const Integrations = Type.Object({
  addons: Type.Array(Integration),
  providers: Type.Array(IntegrationProvider),
  /** Delivery status of each integration. Burgee extension. */
  standings: Type.Array(IntegrationStatus),
})
export type Integrations = Static<typeof Integrations>
