import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { User } from 'lucide-react'
import { fetchUsers, getDisplayName, getLoginName } from '../api/users.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import type { PaletteEntry } from './entry.ts'
import { filterEntries } from './ranking.ts'

const MAX_PEOPLE = 5

/** Returns the users that match a text. Only administrators may list users. */
export function usePeopleEntries(text: string): PaletteEntry[] {
  const may = usePermissionCheck()
  const navigate = useNavigate()
  const enabled = text !== '' && may('ADMIN')
  const { data: users = [] } = useQuery({ queryKey: ['users'], queryFn: fetchUsers, enabled })
  if (!enabled) return []
  const entries = users.map((user) => ({
    id: `user ${user.id}`,
    label: getDisplayName(user),
    description: getLoginName(user),
    keywords: getLoginName(user),
    icon: User,
    run: () => void navigate({ to: '/users', search: { edit: String(user.id) } }),
  }))
  return filterEntries(entries, text).slice(0, MAX_PEOPLE)
}
