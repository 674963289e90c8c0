import type { Event, FeatureEvents } from '@burgee/protocol/event'
import { call, path, queryOf } from './http.ts'

/** Some events of one flag, newest first. */
export const flagEvents = (feature: string, offset: number, limit: number) =>
  call<FeatureEvents>('GET', `${path('api', 'admin', 'events', feature)}${queryOf({ offset, limit })}`)

/** What the log is narrowed to. */
export interface EventQuery {
  readonly type?: string | undefined
  readonly flag?: string | undefined
  readonly project?: string | undefined
  readonly by?: string | undefined
}

/** Some events, and how many there are altogether. */
export interface EventPage {
  readonly events: readonly Event[]
  readonly total: number
}

/** Some events of the whole installation, newest first. */
export const searchEvents = ({ type, flag, project, by }: EventQuery, offset: number, limit: number) =>
  call<EventPage>(
    'GET',
    `/api/admin/search/events${queryOf({
      type: type === undefined ? undefined : `IS:${type}`,
      feature: flag === undefined ? undefined : `IS:${flag}`,
      project: project === undefined ? undefined : `IS:${project}`,
      createdBy: by === undefined ? undefined : `IS:${by}`,
      offset,
      limit,
    })}`,
  )
