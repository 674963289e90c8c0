import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRefetch } from '../api/use-refetch.ts'
import type { BulkKind } from '../flags/bulk/bulk-action.ts'
import flagStyles from '../flags/flags.module.css'
import type { Selection } from '../flags/selection.ts'
import { useGuards } from '../proposals/guard.ts'
import { useMayChange } from '../proposals/may-change.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { STALE_TEXTS } from './texts.ts'
import { useSnooze } from './use-snooze.ts'

const BulkDialog = lazyDialog('BulkDialog', async () => (await import('../flags/bulk/bulk-dialog.tsx')).BulkDialog)

interface DialogProps {
  readonly project: string
  readonly kind: BulkKind
  readonly flags: readonly FeatureListItem[]
  /** Called when the dialog closes; `isDone` is true if the action was performed. */
  readonly close: (isDone: boolean) => void
}

/** The flag list's bulk dialog, for marking or archiving stale flags. Refetches the stale flags after the action. */
export function StaleDialog({ close, ...props }: DialogProps) {
  const refetch = useRefetch()
  return (
    <BulkDialog
      {...props}
      isArchived={false}
      close={(isDone) => {
        if (isDone) void refetch(['stale'])
        close(isDone)
      }}
    />
  )
}

interface Props {
  readonly project: string
  readonly selection: Selection
  /** True if the displayed flags are snoozed. */
  readonly isSnoozed: boolean
}

/** Bar with the number of selected flags and the actions for the selection. Hidden while nothing is selected.  */
export function StaleBar({ project, selection, isSnoozed }: Props) {
  const t = useTexts()
  const own = useCatalogue(STALE_TEXTS)
  const may = usePermissionCheck()
  const mayChange = useMayChange(project)
  const { hasGuards } = useGuards(project)
  const wake = useSnooze()
  const [open, setOpen] = useState<BulkKind | 'snooze'>()
  const { flags, clear } = selection
  if (flags.length === 0) return null
  const names = flags.map(({ name }) => name)
  const done = (isDone: boolean): void => {
    setOpen(undefined)
    if (isDone) clear()
  }
  const mayUpdate = may('UPDATE_FEATURE', { project })
  const putBack = async (): Promise<void> => {
    if (await wake(project, names, null)) clear()
  }
  return (
    <div className={flagStyles.bulk} role="toolbar" aria-label={t.bulk.label}>
      <strong role="status">{own.selected(flags.length)}</strong>
      <span className={flagStyles.grow} />
      {mayUpdate && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => (isSnoozed ? void putBack() : setOpen('snooze'))}>
            {isSnoozed ? own.wake : own.snooze}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setOpen('stale')}>
            {own.mark}
          </Button>
        </>
      )}
      {mayChange('DELETE_FEATURE', { project }) && (
        <Button size="compact-sm" variant="default" c="var(--bad)" onClick={() => setOpen('archive')}>
          {hasGuards ? own.proposeArchive(flags.length) : own.archive}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        {own.clear}
      </Button>
      {open === 'snooze' && <SnoozeDialog project={project} names={names} close={done} />}
      {(open === 'stale' || open === 'archive') && (
        <StaleDialog project={project} kind={open} flags={flags} close={done} />
      )}
    </div>
  )
}
