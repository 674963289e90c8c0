import type { Me, User } from '@burgee/protocol/access'
import { isGranted, type Place } from '@burgee/protocol/grant'
import { useQuery } from '@tanstack/react-query'
import * as api from '../../api/me.ts'

/** The query of who is logged in. */
export const ME = { queryKey: ['me'], queryFn: api.me, staleTime: 60_000, retry: false } as const

/** Under which queries keep, in memory and for minutes, the password that somebody logged in with who must change it now. */
export const TYPED_PASSWORD = ['typed-password'] as const

/** Who is logged in; undefined until it is known. */
export function useMe(): Me | undefined {
  return useQuery(ME).data
}

/** Name to greet somebody by. */
export function nameOf(me: Me | undefined): string {
  const user = (me?.user ?? {}) as Partial<User>
  return user.name ?? user.username ?? user.email ?? ''
}

/** The id of who is logged in; undefined before it is known. */
export const idOf = (me: Me | undefined): number | undefined => (me?.user as Partial<User> | undefined)?.id

/** Whether somebody must change the password before anything else. */
export function mustChange(me: Me): boolean {
  return (me.user as Partial<User>).mustChangePassword === true
}

/** Whether somebody may do something; nobody may anything before it is known who it is. */
export function grants(me: Me | undefined, permission: string, place: Place = {}): boolean {
  return isGranted(me?.permissions ?? [], permission, place)
}

/** Asks whether the person may do something; buttons that would be refused are not shown. */
export function useMay(): (permission: string, place?: Place) => boolean {
  const me = useMe()
  return (permission, place) => grants(me, permission, place)
}
