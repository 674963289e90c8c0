import type {
  ChangeRequest,
  ChangeRequestSchedule,
  ListedChange,
  ListedChangeRequest,
} from '@burgee/protocol/administration/change-request'
import type { ChangeRow } from '../../store/change-requests/changes.ts'
import {
  changesOf,
  type ListedChangeRow,
  listedChangesOf,
  otherSchedules,
} from '../../store/change-requests/changes.ts'
import { type CommentRow, commentsOf, type OpinionRow, opinionsOf } from '../../store/change-requests/opinions.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import { settingsOfProjects } from '../../store/change-requests/settings.ts'
import { charactersOf } from '../../store/change-requests/sizes.ts'
import type { Reader } from '../../store/database.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import { madeBy } from '../faces.ts'
import { together } from '../together.ts'
import { conflictsOf } from './applying.ts'
import { orderChanges } from './change-order.ts'
import { isOpen } from './request-ref.ts'

/** Changes, reviews and required approvals of requests. */
interface Parts {
  readonly changes: ReadonlyMap<number, readonly ListedChangeRow[]>
  readonly opinions: ReadonlyMap<number, readonly OpinionRow[]>
  readonly approvals: ReadonlyMap<string, number>
}

/** Conflicts of a request's changes, keyed by change id, and other scheduled requests for the same flags. */
interface Trouble {
  readonly conflicts: ReadonlyMap<number, string>
  readonly schedules: readonly { readonly id: number; readonly title: string; readonly feature: string }[]
}

const NO_TROUBLE: Trouble = { conflicts: new Map(), schedules: [] }

/**
 * Returns a change request. Open requests include their conflicts and the default strategies that they would add
 * implicitly.
 */
export async function requestView(reader: Reader, row: RequestRow): Promise<ChangeRequest> {
  const changes = await changesOf(reader, [row.id])
  const parts = await partsOf(reader, [row], changes)
  const comments = await commentsOf(reader, [row.id])
  if (!isOpen(row)) return wholeOf(viewOf(row, parts, NO_TROUBLE), changes, comments)
  const { defaults } = await orderChanges(reader, row, changes)
  const view = viewOf(row, parts, await troubleOf(reader, row, changes))
  const features = view.features.map((one) => {
    const defaultChange = defaults.get(one.name)
    return defaultChange === undefined ? one : { ...one, defaultChange }
  })
  return wholeOf({ ...view, features }, changes, comments)
}

/**
 * Returns requests in the form used in lists: with their changes and reviews, but without payloads, comments and
 * conflicts.
 */
export async function requestOutlines(reader: Reader, rows: readonly RequestRow[]): Promise<ListedChangeRequest[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const parts = await partsOf(reader, rows, await listedChangesOf(reader, ids, false))
  return rows.map((row) => viewOf(row, parts, NO_TROUBLE))
}

/** Maximum total length of payloads and comments in a list of complete requests. */
const MOST_CHARACTERS = 5_000_000

/**
 * Returns requests with payloads and comments, but without conflicts. Stops before the total exceeds 5 million
 * characters.
 */
export async function requestViews(reader: Reader, all: readonly RequestRow[]): Promise<ChangeRequest[]> {
  const rows = await thatFit(reader, all)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [changes, comments] = await together([listedChangesOf(reader, ids, true), commentsOf(reader, ids)])
  const parts = await partsOf(reader, rows, changes)
  const said = Map.groupBy(comments, (row) => row.request_id)
  return rows.map((row) => wholeOf(viewOf(row, parts, NO_TROUBLE), parts.changes.get(row.id) ?? [], said.get(row.id)))
}

async function thatFit(reader: Reader, rows: readonly RequestRow[]): Promise<readonly RequestRow[]> {
  const ids = rows.map(({ id }) => id)
  const characters = await charactersOf(reader, ids)
  let sum = 0
  const end = ids.findIndex((id) => {
    sum += characters.get(id) ?? 0
    return sum > MOST_CHARACTERS
  })
  return end === -1 ? rows : rows.slice(0, end)
}

async function partsOf(
  reader: Reader,
  rows: readonly RequestRow[],
  changes: readonly ListedChangeRow[],
): Promise<Parts> {
  const [opinions, settings] = await together([
    opinionsOf(
      reader,
      rows.map(({ id }) => id),
    ),
    settingsOfProjects(reader, [...new Set(rows.map(({ project }) => project))]),
  ])
  return {
    changes: Map.groupBy(changes, (row) => row.request_id),
    opinions: Map.groupBy(opinions, (row) => row.request_id),
    approvals: new Map(settings.map((row) => [placeOf(row), row.required_approvals])),
  }
}

const placeOf = ({ project, environment }: ProjectPlace) => JSON.stringify([project, environment])

async function troubleOf(reader: Reader, row: RequestRow, changes: readonly ChangeRow[]): Promise<Trouble> {
  const features = [...new Set(changes.flatMap(({ feature_name }) => feature_name ?? []))]
  return {
    conflicts: await conflictsOf(reader, row, changes),
    schedules: await otherSchedules(reader, { id: row.id, environment: row.environment, features }),
  }
}

function viewOf(row: RequestRow, parts: Parts, trouble: Trouble): ListedChangeRequest {
  const changes = parts.changes.get(row.id) ?? []
  const opinions = parts.opinions.get(row.id) ?? []
  const schedule = scheduleOf(row)
  return {
    ...{ id: row.id, title: row.title, environment: row.environment, project: row.project },
    minApprovals: parts.approvals.get(placeOf(row)) ?? 1,
    state: row.state,
    features: featuresOf(changes, trouble),
    segments: changes
      .filter((one) => one.feature_name === null)
      .map((one) => ({ ...changeView(one, trouble), name: one.segment_name ?? '' })),
    approvals: opinions.filter(({ opinion }) => opinion === 'approved').map(opinionView),
    rejections: opinions.filter(({ opinion }) => opinion === 'rejected').map(opinionView),
    ...madeBy(row),
    ...(schedule === undefined ? {} : { schedule }),
    stateTimestamps: Object.fromEntries(
      Object.entries(row.state_times).map(([state, at]) => [state, new Date(at).toISOString()]),
    ),
  }
}

/** Adds payloads and comments to the view of a request. */
function wholeOf(
  view: ListedChangeRequest,
  changes: readonly ListedChangeRow[],
  comments: readonly CommentRow[] = [],
): ChangeRequest {
  const payloads = new Map(changes.map(({ id, payload }) => [id, payload]))
  const whole = <C extends ListedChange>(one: C) => ({ ...one, payload: payloads.get(one.id) })
  return {
    ...view,
    features: view.features.map((one) => ({ ...one, changes: one.changes.map(whole) })),
    segments: view.segments.map(whole),
    comments: comments.map(({ id, text, ...made }) => ({ id, text, ...madeBy(made) })),
  }
}

function featuresOf(changes: readonly ListedChangeRow[], trouble: Trouble): ListedChangeRequest['features'] {
  const named = Map.groupBy(changes, (one) => one.feature_name)
  return [...named].flatMap(([name, own]) => {
    if (name === null) return []
    const conflict = own.map(({ id }) => trouble.conflicts.get(id)).find((why) => why !== undefined)
    const views = own.map((one) => changeView(one, trouble))
    return [{ name, ...(conflict === undefined ? {} : { conflict }), changes: views }]
  })
}

function changeView(row: ListedChangeRow, { conflicts, schedules }: Trouble): ListedChange {
  const conflict = conflicts.get(row.id)
  const others = schedules.filter(({ feature }) => feature === row.feature_name).map(({ id, title }) => ({ id, title }))
  return {
    ...{ id: row.id, action: row.action },
    ...madeBy(row),
    ...(conflict === undefined ? {} : { conflict }),
    ...(others.length === 0 ? {} : { scheduleConflicts: { changeRequests: others } }),
  }
}

function opinionView({ user_id, username, email, created_at }: OpinionRow) {
  const name = email ?? username ?? `user ${user_id}`
  return madeBy({ created_by_user_id: user_id, created_by: name, created_at })
}

/**
 * Returns the schedule of a request, and the result if it has been tried. Returns undefined if the request has no
 * schedule.
 */
export function scheduleOf(row: RequestRow): ChangeRequestSchedule | undefined {
  const { scheduled_at: at, schedule_status: status, schedule_reason: reason } = row
  if (at === null || status === null) return undefined
  const why = reason === null ? {} : status === 'failed' ? { reason, failureReason: reason } : { reason }
  return { scheduledAt: new Date(Number(at)).toISOString(), status, ...why }
}
