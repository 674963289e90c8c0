import Type, { type Static } from 'typebox'
import { FeatureListItem } from './admin-feature.ts'
import { Event } from './event.ts'

/**
 * Schemas for the queries and responses of searches. Conditions are written as `IS:a` or `IS_ANY_OF:a,b`. Source: wire
 * protocol
 */

/** Query parameter of a search that may occur once. */
export const SearchText = Type.String({ maxLength: 2000 })
/** Query parameter of a search that may occur several times. */
export const SearchTexts = Type.Union([SearchText, Type.Array(SearchText, { maxItems: 100 })])
const Text = Type.Optional(SearchText)
const Limit = Type.Integer({ minimum: 1, maximum: 1000 })
const Offset = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** Query of `GET /api/admin/search/features`. */
export const FeatureSearch = Type.Object({
  query: Text,
  /** True to tolerate one typing error per word when the search text is compared with names. Burgee extension. */
  similar: Type.Optional(Type.Boolean()),
  project: Text,
  type: Text,
  state: Text,
  tag: Text,
  segment: Text,
  createdAt: Text,
  archived: Text,
  createdBy: Text,
  /** `IS:true` selects flags that the caller created or marked as favorites; `IS:false` selects all other flags. */
  mine: Text,
  lifecycle: Text,
  status: Type.Optional(SearchTexts),
  favoritesFirst: Type.Optional(Type.Boolean()),
  sortBy: Text,
  sortOrder: Type.Optional(Type.Enum(['asc', 'desc'])),
  offset: Type.Optional(Offset),
  limit: Type.Optional(Limit),
})
export type FeatureSearch = Static<typeof FeatureSearch>

const { environments } = FeatureListItem.properties

/** Flag in search results, with its related objects and its recent usage. */
export const FoundFeature = Type.Object({
  ...FeatureListItem.properties,
  /** `child` if the flag depends on another flag; otherwise `parent` if another flag depends on it; otherwise null. */
  dependencyType: Type.Union([Type.Enum(['parent', 'child']), Type.Null()]),
  /** Names of the segments that the flag's strategies use. */
  segments: Type.Array(Type.String()),
  /**
   * Segments that the flag's strategies use. The environments in this response refer to these segments by id. Burgee
   * extension.
   */
  usedSegments: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  /**
   * Environments, each with the number of evaluations as on (`yes`) and as off (`no`) in the current and the previous
   * hour.
   */
  environments: Type.Array(Type.Object({ ...environments.items.properties, yes: Type.Integer(), no: Type.Integer() })),
})
export type FoundFeature = Static<typeof FoundFeature>

/** Response of `GET /api/admin/search/features`. */
export const FoundFeatures = Type.Object({ features: Type.Array(FoundFeature), total: Type.Integer() })

/** Query of `GET /api/admin/search/events`. */
export const EventSearch = Type.Object({
  query: Text,
  type: Text,
  feature: Text,
  project: Text,
  environment: Text,
  createdBy: Text,
  /** True to find only events that agents caused; false to find only other events. Burgee extension. */
  byAgents: Type.Optional(Type.Boolean()),
  from: Text,
  to: Text,
  afterId: Type.Optional(Offset),
  beforeId: Type.Optional(Offset),
  offset: Type.Optional(Offset),
  limit: Type.Optional(Limit),
})
export type EventSearch = Static<typeof EventSearch>

/** Format of exported events: JSON Lines or CSV. */
const EventExportFormat = Type.Enum(['jsonl', 'csv'])
export type EventExportFormat = Static<typeof EventExportFormat>

const {
  query: _text,
  beforeId: _beforeId,
  offset: _offset,
  limit: _limit,
  ...exportConditions
} = EventSearch.properties

/** Query of `GET /api/admin/event-export`. Burgee extension. */
export const EventExport = Type.Object({
  ...exportConditions,
  /** Default: `jsonl`. */
  format: Type.Optional(EventExportFormat),
})
export type EventExport = Static<typeof EventExport>

/** Response of `GET /api/admin/search/events`. */
export const FoundEvents = Type.Object({
  events: Type.Array(Event),
  total: Type.Integer(),
  epoch: Type.String({
    description: 'Identifies the database. A restore changes it; event ids then start at another number',
  }),
})

/** Request body of `POST /api/admin/events/search`, an older form of the event search. */
export const OlderEventSearch = Type.Object({
  type: Text,
  project: Text,
  feature: Text,
  query: Text,
  offset: Type.Optional(Offset),
  limit: Type.Optional(Limit),
})

/** Response with a list of events. */
export const Events = Type.Object({ version: Type.Literal(1), events: Type.Array(Event), totalEvents: Type.Integer() })
