import type {
  ChangeRequest,
  ChangeRequestSchedule,
  DefaultChange,
  ListedChange,
  ListedChangeRequest,
} from '@burgee/protocol/administration/change-request'
import type { Reader } from '@burgee/storage/database'
import { findUserById } from '@burgee/storage/queries/access/people'
import { listSettingsOfProjects } from '@burgee/storage/queries/change-requests/change-request-settings'
import type { ChangeRow } from '@burgee/storage/queries/change-requests/changes'
import {
  type ChangeSummaryRow,
  listChangeSummaries,
  listChanges,
  listOtherSchedules,
} from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import {
  type CommentRow,
  listComments,
  listReviews,
  type ReviewRow,
} from '@burgee/storage/queries/change-requests/reviews'
import { countCharacters } from '@burgee/storage/queries/change-requests/sizes'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { toCreatedBy } from '../../core/avatars.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { readAppliedRecords } from './applied-records.ts'
import { orderChanges } from './change-order.ts'
import { findConflicts } from './conflicts.ts'
import { isOpen } from './request-ref.ts'

/** Changes, reviews and required approvals, keyed by request. */
interface ChangeRequestParts {
  readonly changes: ReadonlyMap<number, readonly ChangeSummaryRow[]>
  readonly reviews: ReadonlyMap<number, readonly ReviewRow[]>
  readonly approvals: ReadonlyMap<string, number>
}

/** Conflicts of a request's changes, keyed by change id, and other requests that are scheduled for the same flags. */
interface RequestProblems {
  readonly conflicts: ReadonlyMap<number, string>
  readonly schedules: readonly { readonly id: number; readonly title: string; readonly feature: string }[]
}

const NO_PROBLEMS: RequestProblems = { conflicts: new Map(), schedules: [] }

/**
 * Returns a change request. If the request is open, includes its conflicts and the default strategies that it would add
 * implicitly.
 */
export async function readRequestView(reader: Reader, row: RequestRow): Promise<ChangeRequest> {
  const changes = await listChanges(reader, [row.id])
  const parts = await readParts(reader, [row], changes)
  const comments = await listComments(reader, [row.id])
  if (!isOpen(row)) {
    return withAppliedRecords(toChangeRequest(toListedRequest(row, parts, NO_PROBLEMS), changes, comments), changes)
  }
  const { defaults } = await orderChanges(reader, row, changes)
  const view = toListedRequest(row, parts, await readProblems(reader, row, changes))
  const features = view.features.map((one) => {
    const defaultChange = defaults.get(one.name)
    return defaultChange === undefined ? one : { ...one, defaultChange }
  })
  return { ...toChangeRequest({ ...view, features }, changes, comments), ...(await readScheduler(reader, row)) }
}

/**
 * Returns the user who scheduled a request. Returns nothing if the request has no schedule or the account was deleted.
 */
async function readScheduler(
  reader: Reader,
  { scheduled_by_user_id: id }: RequestRow,
): Promise<Pick<ChangeRequest, 'scheduledBy'>> {
  const user = id === null ? undefined : await findUserById(reader, id)
  return user === undefined ? {} : { scheduledBy: { id: user.id, username: getLoginName(user.id, user) } }
}

/** Adds the states from before the request was applied, and the user who applied the request. */
function withAppliedRecords(view: ChangeRequest, changes: readonly ChangeRow[]): ChangeRequest {
  const { records, by } = readAppliedRecords(changes)
  const features = view.features.map((one) => {
    const record = records.get(one.name)
    const defaultChange: DefaultChange | undefined = record?.added && { action: 'addStrategy', payload: record.added }
    return {
      ...one,
      ...(record?.before === undefined ? {} : { previous: record.before }),
      ...(defaultChange === undefined ? {} : { defaultChange }),
    }
  })
  return { ...view, features, ...(by === undefined ? {} : { appliedBy: by }) }
}

/**
 * Returns requests in the form used in lists: with their changes and reviews, but without payloads, comments and
 * conflicts.
 */
export async function readRequestOutlines(reader: Reader, rows: readonly RequestRow[]): Promise<ListedChangeRequest[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const parts = await readParts(reader, rows, await listChangeSummaries(reader, ids, false))
  return rows.map((row) => toListedRequest(row, parts, NO_PROBLEMS))
}

/** Maximum total length of payloads and comments in a list of complete requests. */
const MAX_CHARACTERS = 5_000_000

/**
 * Returns requests with payloads and comments, but without conflicts. Stops before the total exceeds 5 million
 * characters.
 */
export async function readRequestViews(reader: Reader, all: readonly RequestRow[]): Promise<ChangeRequest[]> {
  const rows = await limitByLength(reader, all)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [changes, comments] = await inOneRoundTrip([listChangeSummaries(reader, ids, true), listComments(reader, ids)])
  const parts = await readParts(reader, rows, changes)
  const commentsByRequest = Map.groupBy(comments, (row) => row.request_id)
  return rows.map((row) =>
    toChangeRequest(
      toListedRequest(row, parts, NO_PROBLEMS),
      parts.changes.get(row.id) ?? [],
      commentsByRequest.get(row.id),
    ),
  )
}

async function limitByLength(reader: Reader, rows: readonly RequestRow[]): Promise<readonly RequestRow[]> {
  const ids = rows.map(({ id }) => id)
  const characters = await countCharacters(reader, ids)
  let sum = 0
  const end = ids.findIndex((id) => {
    sum += characters.get(id) ?? 0
    return sum > MAX_CHARACTERS
  })
  return end === -1 ? rows : rows.slice(0, end)
}

async function readParts(
  reader: Reader,
  rows: readonly RequestRow[],
  changes: readonly ChangeSummaryRow[],
): Promise<ChangeRequestParts> {
  const [opinions, settings] = await inOneRoundTrip([
    listReviews(
      reader,
      rows.map(({ id }) => id),
    ),
    listSettingsOfProjects(reader, [...new Set(rows.map(({ project }) => project))]),
  ])
  return {
    changes: Map.groupBy(changes, (row) => row.request_id),
    reviews: Map.groupBy(opinions, (row) => row.request_id),
    approvals: new Map(settings.map((row) => [getProjectEnvironmentKey(row), row.required_approvals])),
  }
}

const getProjectEnvironmentKey = ({ project, environment }: ProjectEnvironmentKey) =>
  JSON.stringify([project, environment])

async function readProblems(reader: Reader, row: RequestRow, changes: readonly ChangeRow[]): Promise<RequestProblems> {
  const features = [...new Set(changes.flatMap(({ feature_name }) => feature_name ?? []))]
  return {
    conflicts: await findConflicts(reader, row, changes),
    schedules: await listOtherSchedules(reader, { id: row.id, environment: row.environment, features }),
  }
}

function toListedRequest(row: RequestRow, parts: ChangeRequestParts, trouble: RequestProblems): ListedChangeRequest {
  const changes = parts.changes.get(row.id) ?? []
  const opinions = parts.reviews.get(row.id) ?? []
  const schedule = getSchedule(row)
  return {
    id: row.id,
    title: row.title,
    environment: row.environment,
    project: row.project,
    minApprovals: parts.approvals.get(getProjectEnvironmentKey(row)) ?? 1,
    state: row.state,
    features: toFeatures(changes, trouble),
    segments: changes
      .filter((one) => one.feature_name === null)
      .map((one) => ({ ...toListedChange(one, trouble), name: one.segment_name ?? '' })),
    approvals: opinions.filter(({ opinion }) => opinion === 'approved').map(toReview),
    rejections: opinions.filter(({ opinion }) => opinion === 'rejected').map(toReview),
    ...toCreatedBy(row),
    ...(schedule === undefined ? {} : { schedule }),
    stateTimestamps: Object.fromEntries(
      Object.entries(row.state_times).map(([state, at]) => [state, new Date(at).toISOString()]),
    ),
  }
}

/** Adds payloads and comments to the view of a request. */
function toChangeRequest(
  view: ListedChangeRequest,
  changes: readonly ChangeSummaryRow[],
  comments: readonly CommentRow[] = [],
): ChangeRequest {
  const payloads = new Map(changes.map(({ id, payload }) => [id, payload]))
  const whole = <C extends ListedChange>(one: C) => ({ ...one, payload: payloads.get(one.id) })
  return {
    ...view,
    features: view.features.map((one) => ({ ...one, changes: one.changes.map(whole) })),
    segments: view.segments.map(whole),
    comments: comments.map(({ id, text, ...made }) => ({ id, text, ...toCreatedBy(made) })),
  }
}

function toFeatures(changes: readonly ChangeSummaryRow[], trouble: RequestProblems): ListedChangeRequest['features'] {
  const named = Map.groupBy(changes, (one) => one.feature_name)
  return [...named].flatMap(([name, own]) => {
    if (name === null) return []
    const conflict = own.map(({ id }) => trouble.conflicts.get(id)).find((why) => why !== undefined)
    const views = own.map((one) => toListedChange(one, trouble))
    return [{ name, ...(conflict === undefined ? {} : { conflict }), changes: views }]
  })
}

function toListedChange(row: ChangeSummaryRow, { conflicts, schedules }: RequestProblems): ListedChange {
  const conflict = conflicts.get(row.id)
  const others = schedules.filter(({ feature }) => feature === row.feature_name).map(({ id, title }) => ({ id, title }))
  return {
    id: row.id,
    action: row.action,
    ...toCreatedBy(row),
    ...(conflict === undefined ? {} : { conflict }),
    ...(others.length === 0 ? {} : { scheduleConflicts: { changeRequests: others } }),
  }
}

function toReview({ user_id, username, email, created_at }: ReviewRow) {
  const name = getLoginName(user_id, { username, email })
  return toCreatedBy({ created_by_user_id: user_id, created_by: name, created_at })
}

function getLoginName(id: number, { username, email }: Pick<ReviewRow, 'username' | 'email'>): string {
  return email ?? username ?? `user ${id}`
}

/**
 * Returns the schedule of a request, with the result of the last attempt to apply the request, if any. Returns
 * undefined if the request has no schedule.
 */
export function getSchedule(row: RequestRow): ChangeRequestSchedule | undefined {
  const { scheduled_at: at, schedule_status: status, schedule_reason: reason } = row
  if (at === null || status === null) return undefined
  const why = reason === null ? {} : status === 'failed' ? { reason, failureReason: reason } : { reason }
  return { scheduledAt: new Date(Number(at)).toISOString(), status, ...why }
}
