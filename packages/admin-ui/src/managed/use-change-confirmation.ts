import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setChangeCheck } from '../api/http.ts'
import { useLanguage } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'

/** Paths of requests that may change an object that a file describes. */
const FILE_PATHS =
  /^\/api\/admin\/(projects\/[^/]+\/(features|archive|stale|bulk_features)|features|tags|segments|context|release-plan-templates)\//

/**
 * Asks for confirmation before any part of the UI changes an object that files describe. Changes to other objects, and
 * to a displayed flag without a file, are sent without a request for origins.
 */
export function useChangeConfirmation(): void {
  const queries = useQueryClient()
  const ask = useConfirm()
  const { language } = useLanguage()
  useEffect(() => {
    setChangeCheck(async (path, body) => {
      if (!FILE_PATHS.test(`${path}/`)) return true
      const parts = Promise.all([import('./confirm-change.ts'), import('./texts.ts')])
      // without these parts, for example offline, the change is sent as usual
      const loaded = await parts.catch(() => undefined)
      if (loaded === undefined) return true
      const [{ confirmChange }, { MANAGED_TEXTS }] = loaded
      return confirmChange({ path, body }, { queries, ask, words: MANAGED_TEXTS[language] })
    })
    return () => setChangeCheck(undefined)
  }, [queries, ask, language])
}
