import type { Notifications } from '@burgee/protocol/administration/notification'
import type { Event, FeatureEvents } from '@burgee/protocol/event'
import { call, path, queryOf } from './http.ts'

const RECENT = 50
const NOTIFICATIONS = '/api/admin/user/notifications'

/** Some events of one flag, newest first. */
export const flagEvents = (feature: string, offset: number, limit: number) =>
  call<FeatureEvents>('GET', `${path('api', 'admin', 'events', feature)}${queryOf({ offset, limit })}`)

/** What the log is narrowed to. */
export interface EventQuery {
  /** Part of the type, flag, project, environment or author. */
  readonly q?: string | undefined
  readonly type?: string | undefined
  readonly flag?: string | undefined
  readonly project?: string | undefined
  readonly env?: string | undefined
  readonly by?: string | undefined
  /** First and last day, as in `2026-03-01`, in the person's time zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Some events, and how many there are altogether. */
export interface EventPage {
  readonly events: readonly Event[]
  readonly total: number
}

/** Which part of the log: what came after an event, or what was before one. */
export interface EventRange {
  readonly afterId?: number | undefined
  readonly beforeId?: number | undefined
  readonly limit: number
}

/** Some events of the whole installation, newest first. */
export const searchEvents = (query: EventQuery, range: EventRange) =>
  call<EventPage>(
    'GET',
    `/api/admin/search/events${queryOf({
      query: query.q,
      type: is(query.type),
      feature: is(query.flag),
      project: is(query.project),
      environment: is(query.env),
      createdBy: is(query.by),
      from: timeOf(query.from, 'T00:00:00.000'),
      to: timeOf(query.to, 'T23:59:59.999'),
      ...range,
    })}`,
  )

/** The newest of the last events that a query finds and whose state, after it or before, is what `isOf` looks for. */
export async function lastEvent(
  query: EventQuery,
  isOf: (state: Readonly<Record<string, unknown>>) => boolean,
): Promise<Event | undefined> {
  const { events } = await searchEvents(query, { limit: RECENT })
  return events.find(({ data, preData }) =>
    [data, preData].some((state) => typeof state === 'object' && state !== null && isOf({ ...state })),
  )
}

const is = (value: string | undefined) => (value === undefined ? undefined : `IS:${value}`)

/** A day begins and ends where the person is. */
function timeOf(day: string | undefined, time: string): string | undefined {
  const date = new Date(`${day ?? ''}${time}`)
  return day === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** What others did that concerns me, newest first, and how many I have not read. */
export const notifications = (limit: number) => call<Notifications>('GET', `${NOTIFICATIONS}${queryOf({ limit })}`)

/** Notes up to which event I have read. */
export const readUpTo = (upTo: number) => call<unknown>('PUT', `${NOTIFICATIONS}/read`, { upTo })
