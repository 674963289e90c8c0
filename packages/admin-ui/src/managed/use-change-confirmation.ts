import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setChangeCheck } from '../api/http.ts'
import { useLanguage } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'

/** Asks for confirmation before any part of the UI changes a flag that files describe. */
export function useChangeConfirmation(): void {
  const queries = useQueryClient()
  const ask = useConfirm()
  const { language } = useLanguage()
  useEffect(() => {
    setChangeCheck(async (path, body) => {
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
