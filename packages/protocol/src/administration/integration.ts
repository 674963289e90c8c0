import Type, { type Static } from 'typebox'
import { Event } from '../event.ts'

const Names = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500 })

/** What stands in the place of a secret in replies; sent back, it means what is stored. Source: wire protocol */
export const MASK = '*****'

/** Body of a new or changed integration. Source: wire protocol */
export const IntegrationInput = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 100 }),
    enabled: Type.Boolean(),
    description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
    /** Texts by the names that the provider defines; what it marks as sensitive is never shown again. */
    parameters: Type.Record(Type.String(), Type.String({ maxLength: 20_000 }), { maxProperties: 50 }),
    /** Types of events that are delivered. */
    events: Names,
    /** Only of these projects; all where it is empty or holds `*`. */
    projects: Type.Optional(Names),
    /** Of events of an environment only those of these; all where it is empty. */
    environments: Type.Optional(Names),
  },
  // the whole of what a reply shows may be sent back
  { additionalProperties: true },
)
export type IntegrationInput = Static<typeof IntegrationInput>

/** An integration as it is shown: sensitive parameters are masked. Source: wire protocol */
export const Integration = Type.Object({
  id: Type.Integer(),
  provider: Type.String(),
  enabled: Type.Boolean(),
  description: Type.Union([Type.String(), Type.Null()]),
  parameters: Type.Record(Type.String(), Type.String()),
  events: Type.Array(Type.String()),
  projects: Type.Array(Type.String()),
  /**
   * Of how many further projects, which whoever asks may not see; left out where there are none. While there are some,
   * an empty list of projects is not all of them, and only who may see them changes the integration. An addition.
   */
  hiddenProjects: Type.Optional(Type.Integer({ minimum: 1 })),
  environments: Type.Array(Type.String()),
  createdAt: Type.String(),
})
export type Integration = Static<typeof Integration>

/** One parameter of a provider, as forms need it. Source: wire protocol */
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

/** A kind of receiver. Source: wire protocol */
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

/** What became of one try to deliver. Source: wire protocol; from `status` on an addition. */
export const IntegrationEvent = Type.Object({
  id: Type.String(),
  integrationId: Type.Integer(),
  createdAt: Type.String(),
  state: Type.Union([Type.Literal('success'), Type.Literal('failed'), Type.Literal('successWithErrors')]),
  /** Why it failed, without secrets; empty where it did not. */
  stateDetails: Type.String(),
  /** The event; null where it was a test, or is not kept any more. */
  event: Type.Union([Event, Type.Null()]),
  details: Type.Object({
    /** Until when nothing is tried again; null where this is done with. */
    nextAttemptAt: Type.Union([Type.String(), Type.Null()]),
  }),
  /** HTTP status of the answer; null where there was none. */
  status: Nullable(Type.Integer()),
  durationMs: Type.Integer(),
  /** Counts from 1. */
  attempt: Type.Integer(),
  /** Null for a test, and where deliveries were dropped. */
  eventId: Nullable(Type.Integer()),
})
export type IntegrationEvent = Static<typeof IntegrationEvent>

/** Reply of the delivery log, newest first. Source: wire protocol */
export const IntegrationEvents = Type.Object({ integrationEvents: Type.Array(IntegrationEvent) })

/** How the deliveries of an integration stand. */
export const IntegrationStanding = Type.Object({
  integrationId: Type.Integer(),
  /** Events that wait to be delivered. */
  waiting: Type.Integer(),
  /** What became of the last try; null before the first. */
  last: Type.Union([Type.Pick(IntegrationEvent, ['createdAt', 'state', 'status']), Type.Null()]),
})
export type IntegrationStanding = Static<typeof IntegrationStanding>

/** Reply of the list. */
export const Integrations = Type.Object({
  addons: Type.Array(Integration),
  providers: Type.Array(IntegrationProvider),
  /** An addition: one for each integration. */
  standings: Type.Array(IntegrationStanding),
})
export type Integrations = Static<typeof Integrations>
