import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { logout } from '../../api/me.ts'
import { useTexts } from '../../text/texts.tsx'
import { showFailure } from '../../ui/messages/feedback.ts'
import { clearRecentFlags } from '../recent-flags.ts'
import { forgetSession } from './session-mark.ts'

/** Returns a function that logs out, clears the cache and opens the login page. */
export function useLogout(): () => Promise<void> {
  const t = useTexts()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      const provider = await logout()
      forgetSession()
      clearRecentFlags()
      queries.clear()
      if (provider !== undefined) window.location.assign(provider)
      else await navigate({ to: '/login' })
    } catch (error) {
      showFailure(t, t.login.logout, error)
    }
  }
}
