import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { onApiFailure } from '../../api/api-failures.ts'
import { EDITORS } from '../../ui/dialog/editors.ts'
import { loadPart } from '../../ui/loading/load-part.ts'
import { usePart } from '../../ui/loading/use-part.ts'
import { ME } from './session.tsx'

const loadDialog = () => loadPart('SessionDialog', async () => (await import('./session-dialog.tsx')).SessionDialog)

/**
 * Shows the login dialog above the page when the session ends. Refetches everything if the outcome of a change is
 * unknown.
 */
export function SessionGuard() {
  const queries = useQueryClient()
  const [hasEnded, setEnded] = useState(false)
  // Preload the dialog with an editor, because a newly deployed server may no longer have its file.
  const isEditing = useSyncExternalStore(EDITORS.subscribe, EDITORS.isOpen)
  const { Part: SessionDialog } = usePart(loadDialog, isEditing || hasEnded)
  useEffect(
    () =>
      onApiFailure((trouble) => {
        if (trouble === 'outcome-unknown') void queries.invalidateQueries()
        // Before the first login there is nothing to resume.
        else if (queries.getQueryData(ME.queryKey) !== undefined) setEnded(true)
      }),
    [queries],
  )
  const goOn = (): void => {
    setEnded(false)
    void queries.invalidateQueries()
  }
  return hasEnded && SessionDialog && <SessionDialog goOn={goOn} />
}
