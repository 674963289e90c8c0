import { createHash } from 'node:crypto'
import type {
  ChangeRequest,
  ChangeRequestPerson,
  ChangeRequestSchedule,
  ProposedChange,
} from '@burgee/protocol/administration/change-request'
import { type ChangeRow, changesOf, otherSchedules } from '../../store/change-requests/changes.ts'
import { type CommentRow, commentsOf, type OpinionRow, opinionsOf } from '../../store/change-requests/opinions.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import { settingsOf } from '../../store/change-requests/settings.ts'
import type { Reader } from '../../store/database.ts'
import { together } from '../together.ts'
import { conflictsOf } from './applying.ts'
import { isOpen } from './request-ref.ts'

/** What requests hold, and what was said of them. */
interface Parts {
  readonly changes: ReadonlyMap<number, readonly ChangeRow[]>
  readonly opinions: ReadonlyMap<number, readonly OpinionRow[]>
  readonly comments: ReadonlyMap<number, readonly CommentRow[]>
  readonly approvals: ReadonlyMap<string, number>
}

/** What is in the way of the changes of a request, by the id of the change. */
interface Trouble {
  readonly conflicts: ReadonlyMap<number, string>
  readonly schedules: readonly { readonly id: number; readonly title: string; readonly feature: string }[]
}

const NO_TROUBLE: Trouble = { conflicts: new Map(), schedules: [] }

/** One change request, with what is in its way while it is open. */
export async function requestView(reader: Reader, row: RequestRow): Promise<ChangeRequest> {
  const parts = await partsOf(reader, [row])
  return viewOf(row, parts, isOpen(row) ? await troubleOf(reader, row, parts.changes.get(row.id) ?? []) : NO_TROUBLE)
}

/** Several, without that. */
export async function requestViews(reader: Reader, rows: readonly RequestRow[]): Promise<ChangeRequest[]> {
  if (rows.length === 0) return []
  const parts = await partsOf(reader, rows)
  return rows.map((row) => viewOf(row, parts, NO_TROUBLE))
}

async function partsOf(reader: Reader, rows: readonly RequestRow[]): Promise<Parts> {
  const ids = rows.map(({ id }) => id)
  const places = new Map(rows.map((row) => [placeOf(row), row]))
  const [changes, opinions, comments, ...settings] = await together([
    changesOf(reader, ids),
    opinionsOf(reader, ids),
    commentsOf(reader, ids),
    ...[...places.values()].map((place) => settingsOf(reader, place)),
  ])
  return {
    changes: Map.groupBy(changes, (row) => row.request_id),
    opinions: Map.groupBy(opinions, (row) => row.request_id),
    comments: Map.groupBy(comments, (row) => row.request_id),
    approvals: new Map([...places.keys()].map((key, index) => [key, settings[index]?.required_approvals ?? 1])),
  }
}

const placeOf = ({ project, environment }: RequestRow) => JSON.stringify([project, environment])

async function troubleOf(reader: Reader, row: RequestRow, changes: readonly ChangeRow[]): Promise<Trouble> {
  const features = [...new Set(changes.flatMap(({ feature_name }) => feature_name ?? []))]
  return {
    conflicts: await conflictsOf(reader, row, changes),
    schedules: await otherSchedules(reader, { id: row.id, environment: row.environment, features }),
  }
}

function viewOf(row: RequestRow, parts: Parts, trouble: Trouble): ChangeRequest {
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
    comments: (parts.comments.get(row.id) ?? []).map(({ id, text, ...made }) => ({ id, text, ...madeBy(made) })),
    ...madeBy(row),
    ...(schedule === undefined ? {} : { schedule }),
    stateTimestamps: Object.fromEntries(
      Object.entries(row.state_times).map(([state, at]) => [state, new Date(at).toISOString()]),
    ),
  }
}

function featuresOf(changes: readonly ChangeRow[], trouble: Trouble): ChangeRequest['features'] {
  const named = Map.groupBy(changes, (one) => one.feature_name)
  return [...named].flatMap(([name, own]) => {
    if (name === null) return []
    const conflict = own.map(({ id }) => trouble.conflicts.get(id)).find((why) => why !== undefined)
    const views = own.map((one) => changeView(one, trouble))
    return [{ name, ...(conflict === undefined ? {} : { conflict }), changes: views }]
  })
}

function changeView(row: ChangeRow, { conflicts, schedules }: Trouble): ProposedChange {
  const conflict = conflicts.get(row.id)
  const others = schedules.filter(({ feature }) => feature === row.feature_name).map(({ id, title }) => ({ id, title }))
  return {
    ...{ id: row.id, action: row.action, payload: row.payload },
    ...madeBy(row),
    ...(conflict === undefined ? {} : { conflict }),
    ...(others.length === 0 ? {} : { scheduleConflicts: { changeRequests: others } }),
  }
}

function opinionView({ user_id, username, email, created_at }: OpinionRow) {
  const name = email ?? username ?? `user ${user_id}`
  return madeBy({ created_by_user_id: user_id, created_by: name, created_at })
}

/** By whom something was made, and when. */
export function madeBy(row: Pick<RequestRow, 'created_by_user_id' | 'created_by' | 'created_at'>): {
  createdBy: ChangeRequestPerson
  createdAt: string
} {
  const face = createHash('sha256').update(row.created_by).digest('hex')
  const imageUrl = `https://gravatar.com/avatar/${face}?s=42&d=retro&r=g`
  return {
    createdBy: { id: row.created_by_user_id, username: row.created_by, imageUrl },
    createdAt: new Date(Number(row.created_at)).toISOString(),
  }
}

/** When a request is to be applied, and what became of that; undefined where it has no time. */
export function scheduleOf(row: RequestRow): ChangeRequestSchedule | undefined {
  const { scheduled_at: at, schedule_status: status, schedule_reason: reason } = row
  if (at === null || status === null) return undefined
  const why = reason === null ? {} : status === 'failed' ? { reason, failureReason: reason } : { reason }
  return { scheduledAt: new Date(Number(at)).toISOString(), status, ...why }
}
