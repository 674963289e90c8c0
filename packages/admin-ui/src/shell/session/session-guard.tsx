import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { onApiFailure } from '../../api/api-failures.ts'
import { EDITORS } from '../../ui/dialog/editors.ts'
import { loadPart } from '../../ui/loading/load-part.ts'
import { usePart } from '../../ui/loading/use-part.ts'
import { ME } from './session.tsx'

const loadDialog = () => loadPart('SessionDialog', async () => (await import('./session-dialog.tsx')).SessionDialog)

/**
 * Shows the login dialog on top of the page when the session ends. Refetches everything if it is unknown whether a
 * change succeeded.
 */
export function SessionGuard() {
  const queries = useQueryClient()
  const [hasEnded, setEnded] = useState(false)
  // Preload the login dialog when an editor opens: after a deployment, the server may no longer have the dialog's
  // script file.
  const isEditing = useSyncExternalStore(EDITORS.subscribe, EDITORS.isOpen)
  const { Part: SessionDialog } = usePart(loadDialog, isEditing || hasEnded)
  useEffect(
    () =>
      onApiFailure((trouble) => {
        if (trouble === 'outcome-unknown') void queries.invalidateQueries()
        // Without an earlier login, there is no page to return to.
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
