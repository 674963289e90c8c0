import type { Me, User } from '@burgee/protocol/access'
import { isGranted, type Place } from '@burgee/protocol/grant'
import { useQuery } from '@tanstack/react-query'
import * as api from '../../api/me.ts'

/** Query for the logged-in user. */
export const ME = { queryKey: ['me'], queryFn: api.me, staleTime: 60_000, retry: false } as const

/** Query key under which the login password is kept in memory for some minutes, for users who must change it. */
export const TYPED_PASSWORD = ['typed-password'] as const

/** Returns the logged-in user; undefined until loaded. */
export function useMe(): Me | undefined {
  return useQuery(ME).data
}

/** Returns the display name of the user. */
export function nameOf(me: Me | undefined): string {
  const user = (me?.user ?? {}) as Partial<User>
  return user.name ?? user.username ?? user.email ?? ''
}

/** Returns the id of the logged-in user; undefined until loaded. */
export const idOf = (me: Me | undefined): number | undefined => (me?.user as Partial<User> | undefined)?.id

/** Returns true if the user must change their password first. */
export function mustChange(me: Me): boolean {
  return (me.user as Partial<User>).mustChangePassword === true
}

/** Returns true if the user has a permission; false until the user is loaded. */
export function grants(me: Me | undefined, permission: string, place: Place = {}): boolean {
  return isGranted(me?.permissions ?? [], permission, place)
}

/** Returns a function that checks a permission of the user. Actions that the server would reject are hidden. */
export function useMay(): (permission: string, place?: Place) => boolean {
  const me = useMe()
  return (permission, place) => grants(me, permission, place)
}
