import type { Notifications } from '@burgee/protocol/administration/notification'
import type { Creator } from '@burgee/protocol/administration/project-status'
import type { Event, FeatureEvents } from '@burgee/protocol/event'
import { BASE_PATH, buildPath, buildQueryString, call } from './http.ts'

const LAST_EVENT_LIMIT = 50
const NOTIFICATIONS = '/api/admin/user/notifications'

/** Fetches one page of a flag's events, newest first. */
export const fetchFlagEvents = (feature: string, offset: number, limit: number) =>
  call<FeatureEvents>('GET', `${buildPath('api', 'admin', 'events', feature)}${buildQueryString({ offset, limit })}`)

/** Fetches the authors of the events that the user may see, by name. */
export const fetchEventCreators = () => call<readonly Creator[]>('GET', '/api/admin/event-creators')

/** Filters for the event log. */
export interface EventQuery {
  /** Text that must occur in the type, flag, project, environment or author. */
  readonly q?: string | undefined
  readonly type?: string | undefined
  readonly flag?: string | undefined
  readonly project?: string | undefined
  readonly env?: string | undefined
  readonly by?: string | undefined
  /** First and last day, such as `2026-03-01`, in the user's time zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** `only` shows only events that agents caused, `none` shows only other events. */
  readonly agents?: string | undefined
}

/** Page of events, with the total number of events. */
export interface EventPage {
  readonly events: readonly Event[]
  readonly total: number
  /** Epoch of the database. Ids of different epochs cannot be compared. */
  readonly epoch: string
}

/** Part of the event log: the events after `afterId` or those before `beforeId`. */
export interface EventRange {
  readonly afterId?: number | undefined
  readonly beforeId?: number | undefined
  readonly limit: number
}

/** Fetches events of the whole installation, newest first. */
export const searchEvents = (query: EventQuery, range: EventRange) =>
  call<EventPage>(
    'GET',
    `/api/admin/search/events${buildQueryString({ query: query.q, ...toConditions(query), ...range })}`,
  )

/** Returns the URL for exporting all events that match the filters. The text filter is not applied. */
export const getEventExportAddress = (query: EventQuery, format: 'csv' | 'jsonl') =>
  `${BASE_PATH}/api/admin/event-export${buildQueryString({ format, ...toConditions(query) })}`

const toConditions = (query: EventQuery) => ({
  type: toIsFilter(query.type),
  feature: toIsFilter(query.flag),
  project: toIsFilter(query.project),
  environment: toIsFilter(query.env),
  createdBy: toIsFilter(query.by),
  byAgents: query.agents === undefined ? undefined : String(query.agents === 'only'),
  from: toIsoTime(query.from, 'T00:00:00.000'),
  to: toIsoTime(query.to, 'T23:59:59.999'),
})

/**
 * Searches the latest matching events, newest first. Returns the first event whose state before or after the change is
 * accepted by `isOf`.
 */
export async function findLastEvent(
  query: EventQuery,
  isOf: (state: Readonly<Record<string, unknown>>) => boolean,
): Promise<Event | undefined> {
  const { events } = await searchEvents(query, { limit: LAST_EVENT_LIMIT })
  return events.find(({ data, preData }) =>
    [data, preData].some((state) => typeof state === 'object' && state !== null && isOf({ ...state })),
  )
}

const toIsFilter = (value: string | undefined) => (value === undefined ? undefined : `IS:${value}`)

/** Converts a day to the time at which it starts or ends in the user's time zone. */
function toIsoTime(day: string | undefined, time: string): string | undefined {
  const date = new Date(`${day ?? ''}${time}`)
  return day === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Fetches notifications about other users' changes, newest first, with the number of unread notifications. */
export const fetchNotifications = (limit: number) =>
  call<Notifications>('GET', `${NOTIFICATIONS}${buildQueryString({ limit })}`)

/** Marks notifications as read up to an event. */
export const markNotificationsRead = (upTo: number) => call<unknown>('PUT', `${NOTIFICATIONS}/read`, { upTo })
