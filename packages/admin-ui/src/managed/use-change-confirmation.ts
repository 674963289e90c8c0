import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setChangeCheck } from '../api/http.ts'
import { getFlagQuery } from '../api/queries.ts'
import { useLanguage } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { type ChangedObjects, listChangedObjects } from './changed-objects.ts'

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
      const changed = listChangedObjects(path, body)
      if (changed.keys.length === 0 || isKnownAsUnmanaged(queries, changed)) return true
      const parts = Promise.all([import('./confirm-change.ts'), import('./texts.ts')])
      // without these parts, for example offline, the change is sent as usual
      const loaded = await parts.catch(() => undefined)
      if (loaded === undefined) return true
      const [{ confirmChange }, { MANAGED_TEXTS }] = loaded
      return confirmChange(changed, { queries, ask, words: MANAGED_TEXTS[language] })
    })
    return () => setChangeCheck(undefined)
  }, [queries, ask, language])
}

/** Returns true if the page has just shown the only changed flag, and no file describes the flag. */
function isKnownAsUnmanaged(queries: QueryClient, { kind, project, keys: [feature = '', ...others] }: ChangedObjects) {
  if (kind !== 'Flag' || project === undefined || others.length > 0) return false
  const { queryKey } = getFlagQuery({ project, feature })
  const state = queries.getQueryState<{ readonly managedBy?: unknown }>(queryKey)
  return state?.data !== undefined && !state.isInvalidated && state.data.managedBy === undefined
}
