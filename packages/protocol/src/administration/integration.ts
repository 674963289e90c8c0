import Type, { type Static } from 'typebox'
import { Event } from '../event.ts'

const Names = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500 })

/**
 * Placeholder that replaces a secret in responses. A placeholder in a request stands for the stored secret. Source:
 * wire protocol
 */
export const MASK = '*****'

/** Body of a new or changed integration. Source: wire protocol */
export const IntegrationInput = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 100 }),
    enabled: Type.Boolean(),
    description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
    /** Values by parameter name of the provider. Responses never contain the values of sensitive parameters. */
    parameters: Type.Record(Type.String(), Type.String({ maxLength: 20_000 }), { maxProperties: 50 }),
    /** Event types to deliver. */
    events: Names,
    /** Projects whose events are delivered. Empty or `*` means all projects. */
    projects: Type.Optional(Names),
    /** Environments whose events are delivered; empty means all. Events without an environment are always delivered. */
    environments: Type.Optional(Names),
  },
  // clients can send back a complete response
  { additionalProperties: true },
)
export type IntegrationInput = Static<typeof IntegrationInput>

/** Integration as the admin API shows it, with sensitive parameters masked. Source: wire protocol */
export const Integration = Type.Object({
  id: Type.Integer(),
  provider: Type.String(),
  enabled: Type.Boolean(),
  description: Type.Union([Type.String(), Type.Null()]),
  parameters: Type.Record(Type.String(), Type.String()),
  events: Type.Array(Type.String()),
  projects: Type.Array(Type.String()),
  /**
   * Number of projects of the integration that are hidden from the caller; omitted if there are none. If projects are
   * hidden, an empty `projects` does not mean all projects, and only callers who see every project can change the
   * integration. Burgee extension.
   */
  hiddenProjects: Type.Optional(Type.Integer({ minimum: 1 })),
  environments: Type.Array(Type.String()),
  createdAt: Type.String(),
})
export type Integration = Static<typeof Integration>

/** Parameter of a provider, for forms. Source: wire protocol */
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

/** Result of a delivery attempt. Source: wire protocol; `status` and the following properties are Burgee extensions. */
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
    /** Time of the next attempt; null if there will be none. */
    nextAttemptAt: Type.Union([Type.String(), Type.Null()]),
  }),
  /** HTTP status of the response; null if there was none. */
  status: Nullable(Type.Integer()),
  durationMs: Type.Integer(),
  /** Number of the attempt, starting at 1. */
  attempt: Type.Integer(),
  /** Event id; null for a test or for dropped deliveries. */
  eventId: Nullable(Type.Integer()),
})
export type IntegrationEvent = Static<typeof IntegrationEvent>

/** Response of the delivery log, newest first. Source: wire protocol */
export const IntegrationEvents = Type.Object({ integrationEvents: Type.Array(IntegrationEvent) })

/** Delivery status of an integration. */
export const IntegrationStatus = Type.Object({
  integrationId: Type.Integer(),
  /** Number of events that still have to be delivered. */
  waiting: Type.Integer(),
  /** Result of the last attempt; null before the first. */
  last: Type.Union([Type.Pick(IntegrationEvent, ['createdAt', 'state', 'status']), Type.Null()]),
})
export type IntegrationStatus = Static<typeof IntegrationStatus>

/** Response of the list of integrations. */
export const Integrations = Type.Object({
  addons: Type.Array(Integration),
  providers: Type.Array(IntegrationProvider),
  /** Status of each integration. Burgee extension. */
  standings: Type.Array(IntegrationStatus),
})
export type Integrations = Static<typeof Integrations>
