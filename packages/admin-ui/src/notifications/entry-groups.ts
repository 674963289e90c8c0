import type { Notification } from '@burgee/protocol/administration/notification'
import type { ToOptions } from '@tanstack/react-router'

/** Consecutive notifications about one subject. `link` is undefined if the subject no longer exists. */
export interface NotificationGroup {
  /** Id of the newest notification in the group. */
  readonly id: number
  /** Name of the subject; undefined if the event log does not contain it. */
  readonly name: string | undefined
  /** Id of the project if the subject is a project. */
  readonly projectId?: string
  readonly link: ToOptions | undefined
  readonly reason: Notification['reason']
  readonly entries: readonly Notification[]
}

/** Groups consecutive notifications that have the same subject and reason, newest first. */
export function groupNotifications(all: readonly Notification[]): NotificationGroup[] {
  const groups: { key: string; entries: Notification[] }[] = []
  for (const one of all) {
    const key = getGroupKey(one)
    const last = groups.at(-1)
    if (last?.key === key) last.entries.push(one)
    else groups.push({ key, entries: [one] })
  }
  return groups.flatMap(({ entries }) => {
    const [newest] = entries
    return newest === undefined ? [] : [{ id: newest.id, reason: newest.reason, entries, ...getSubject(newest) }]
  })
}

function getGroupKey(one: Notification): string {
  const { reason, project, featureName } = one
  return JSON.stringify([reason, project, findRequest(one)?.id ?? featureName])
}

function getSubject(one: Notification): Pick<NotificationGroup, 'name' | 'projectId' | 'link'> {
  const { project, featureName, type } = one
  const request = findRequest(one)
  if (project === null) return { name: featureName ?? undefined, link: undefined }
  if (request !== undefined) {
    const params = { project, request: String(request.id) }
    return { name: request.title, link: { to: '/projects/$project/change-requests/$request', params } }
  }
  if (featureName === null) {
    const link = { to: '/projects/$project/settings' as const, params: { project } }
    return { name: project, projectId: project, link }
  }
  const params = { project, feature: featureName }
  const link = type === 'feature-deleted' ? undefined : { to: '/projects/$project/features/$feature' as const, params }
  return { name: featureName, link }
}

/** Returns the change request that a notification is about; undefined for flag events. */
function findRequest({ type, data }: Notification): { readonly id: number; readonly title: string } | undefined {
  if (!type.startsWith('change-request-') || typeof data !== 'object' || data === null) return undefined
  const { changeRequestId: id, changeRequestTitle: title } = data as Readonly<Record<string, unknown>>
  if (typeof id !== 'number') return undefined
  return { id, title: typeof title === 'string' && title !== '' ? title : `#${id}` }
}
