import type { CurrentUser, User } from '@burgee/protocol/access'
import { type GrantScope, isGranted } from '@burgee/protocol/grant'
import { useQuery } from '@tanstack/react-query'
import * as api from '../../api/me.ts'

/** Query for the logged-in user. */
export const ME = { queryKey: ['me'], queryFn: api.fetchMe, staleTime: 60_000, retry: false } as const

/**
 * Query key under which the login password is cached. The password stays in memory for some minutes, for users who must
 * change it.
 */
export const TYPED_PASSWORD = ['typed-password'] as const

/** Returns the logged-in user; undefined until loaded. */
export function useMe(): CurrentUser | undefined {
  return useQuery(ME).data
}

/** Returns the display name of the user. */
export function getMyName(me: CurrentUser | undefined): string {
  const user = (me?.user ?? {}) as Partial<User>
  return user.name ?? user.username ?? user.email ?? ''
}

/** Returns the id of the logged-in user; undefined until loaded. */
export const getMyId = (me: CurrentUser | undefined): number | undefined => (me?.user as Partial<User> | undefined)?.id

/** Returns true if the user must change their password first. */
export function mustChangePassword(me: CurrentUser): boolean {
  return (me.user as Partial<User>).mustChangePassword === true
}

/** Returns true if the user has a permission; false until the user is loaded. */
export function hasPermission(me: CurrentUser | undefined, permission: string, place: GrantScope = {}): boolean {
  return isGranted(me?.permissions ?? [], permission, place)
}

/**
 * Returns a function that checks a permission of the user. The UI uses it to hide actions that the server would reject.
 */
export function usePermissionCheck(): (permission: string, place?: GrantScope) => boolean {
  const me = useMe()
  return (permission, place) => hasPermission(me, permission, place)
}
