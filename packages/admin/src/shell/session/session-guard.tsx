import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { onTrouble } from '../../api/trouble.ts'
import { EDITORS } from '../../ui/dialog/editors.ts'
import { loadPart } from '../../ui/loading/load-part.ts'
import { usePart } from '../../ui/loading/use-part.ts'
import { ME } from './session.tsx'

const loadDialog = () => loadPart('SessionDialog', async () => (await import('./session-dialog.tsx')).SessionDialog)

/**
 * Asks for the password when a session has ended under somebody's hands, above whatever they were doing; and reads
 * everything anew when nobody knows what became of a change.
 */
export function SessionGuard() {
  const queries = useQueryClient()
  const [hasEnded, setEnded] = useState(false)
  // with an editor it must be there also when a server of another version answers
  const isEditing = useSyncExternalStore(EDITORS.subscribe, EDITORS.isOpen)
  const { Part: SessionDialog } = usePart(loadDialog, isEditing || hasEnded)
  useEffect(
    () =>
      onTrouble((trouble) => {
        if (trouble === 'outcome-unknown') void queries.invalidateQueries()
        // before the first login there is nothing to go on with
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
