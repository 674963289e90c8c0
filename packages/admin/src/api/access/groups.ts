import type { Group, GroupInput } from '@burgee/protocol/administration/group'
import { call, path } from '../http.ts'

const GROUPS = '/api/admin/groups'

/** Fetches all groups with their members, sorted by name. */
export const groups = async () =>
  (await call<{ groups: Group[] }>('GET', GROUPS)).groups.sort((a, b) => a.name.localeCompare(b.name))

/** Fetches one group with its members. */
export const group = (id: number) => call<Group>('GET', `${GROUPS}${path(id)}`)

/** Creates a group. */
export const createGroup = (body: GroupInput) => call<Group>('POST', GROUPS, body)

/** Updates a group. The given members replace the existing ones. */
export const updateGroup = (id: number, body: GroupInput) => call<Group>('PUT', `${GROUPS}${path(id)}`, body)

/** Removes a group. Its members lose the rights that the group gave them. */
export const removeGroup = (id: number) => call<void>('DELETE', `${GROUPS}${path(id)}`)
