import type { Group, GroupInput } from '@burgee/protocol/administration/group'
import { buildPath, call } from '../http.ts'

const GROUPS = '/api/admin/groups'

/** Fetches all groups with their members, sorted by name. */
export const fetchGroups = async () =>
  (await call<{ groups: Group[] }>('GET', GROUPS)).groups.sort((a, b) => a.name.localeCompare(b.name))

/** Fetches one group with its members. */
export const fetchGroup = (id: number) => call<Group>('GET', `${GROUPS}${buildPath(id)}`)

/** Creates a group. */
export const createGroup = (body: GroupInput) => call<Group>('POST', GROUPS, body)

/** Updates a group. The given members replace the existing members. */
export const updateGroup = (id: number, body: GroupInput) => call<Group>('PUT', `${GROUPS}${buildPath(id)}`, body)

/** Removes a group. The members of a removed group lose the rights that the group gave them. */
export const removeGroup = (id: number) => call<void>('DELETE', `${GROUPS}${buildPath(id)}`)
