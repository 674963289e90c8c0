import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FlagQuery } from '../../api/first/flag-search.ts'
import { useMayChange } from '../../proposals/may-change.ts'
import { usePermissionCheck } from '../../shell/session/session.tsx'
import { useFormat, useTexts } from '../../text/texts.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { useIdleOnce } from '../../ui/loading/use-idle-once.ts'
import { showFailure, showSuccess } from '../../ui/messages/feedback.ts'
import styles from '../flags.module.css'
import { fetchAllFlags, type Selection } from '../selection.ts'
import type { BulkKind } from './bulk-action.ts'

const BulkDialog = lazyDialog('BulkDialog', async () => (await import('./bulk-dialog.tsx')).BulkDialog)

const ExportDialog = lazyDialog(
  'ExportDialog',
  async () => (await import('../../transfer/export-flags.tsx')).ExportDialog,
)

interface Props {
  readonly project: string
  readonly query: FlagQuery
  readonly total: number
  readonly selection: Selection
}

/** Bar with the number of selected flags and the actions for the selection. Hidden while nothing is selected.  */
export function BulkBar({ project, query, total, selection }: Props) {
  const t = useTexts()
  const { number } = useFormat()
  const kinds = useBulkKinds(project, query.isArchived === true)
  const [open, setOpen] = useState<BulkKind>()
  const all = useMutation({
    mutationFn: () => fetchAllFlags(query, total),
    onSuccess: (flags) => selection.put(flags, true),
    onError: (error) => showFailure(t, t.bulk.selectAll(number(total)), error),
  })
  const count = selection.flags.length
  if (count === 0) return null
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t.bulk.label}>
      <strong role="status">{t.bulk.selected(count, number(count))}</strong>
      {count < total && (
        <Button size="compact-sm" variant="subtle" loading={all.isPending} onClick={() => all.mutate()}>
          {t.bulk.selectAll(number(total))}
        </Button>
      )}
      <span className={styles.grow} />
      {query.isArchived !== true && <Compare project={project} selection={selection} />}
      {kinds.map((kind) => (
        <Button
          key={kind}
          size="compact-sm"
          variant="default"
          {...(kind === 'archive' && query.isArchived !== true ? { c: 'var(--bad)' } : {})}
          onClick={() => setOpen(kind)}
        >
          {kind === 'archive' && query.isArchived === true ? t.bulk.kinds.revive : t.bulk.kinds[kind]}
        </Button>
      ))}
      {query.isArchived !== true && <ExportButton project={project} flags={selection.flags.map(({ name }) => name)} />}
      <Button size="compact-sm" variant="subtle" onClick={selection.clear}>
        {t.bulk.clear}
      </Button>
      {open !== undefined && (
        <BulkDialog
          project={project}
          kind={open}
          flags={selection.flags}
          isArchived={query.isArchived === true}
          close={(isDone) => {
            setOpen(undefined)
            if (isDone) selection.clear()
          }}
        />
      )}
    </div>
  )
}

/** Button that exports flags as a file. Every user who can see the flags may export them. */
function ExportButton({ project, flags }: { project: string; flags: readonly string[] }) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {t.bulk.kinds.export}
      </Button>
      {isOpen && <ExportDialog project={project} flags={flags} close={() => setOpen(false)} />}
    </>
  )
}

/** Maximum length of a list of names that can be part of a URL. */
const MAX_URL_NAMES_LENGTH = 6000

/** Button that opens a comparison of the selected flags between two environments. */
function Compare({ project, selection }: Pick<Props, 'project' | 'selection'>) {
  const t = useTexts()
  const navigate = useNavigate()
  const names = selection.flags.map(({ name }) => name).join(',')
  const isLong = names.length > MAX_URL_NAMES_LENGTH
  const open = (): void => {
    void navigate({ to: '/projects/$project/compare', params: { project }, search: isLong ? {} : { flags: names } })
    if (isLong) showSuccess(t.list.tooManyToCompare)
  }
  return (
    <Button size="compact-sm" variant="default" onClick={open}>
      {t.list.compare}
    </Button>
  )
}

/** Returns the bulk actions that the user may perform in a project. */
export function useBulkKinds(project: string, isArchived: boolean): BulkKind[] {
  const may = usePermissionCheck()
  const mayChange = useMayChange(project, useIdleOnce())
  const mayUpdate = may('UPDATE_FEATURE', { project })
  if (isArchived) return mayUpdate ? ['archive'] : []
  return [
    ...(mayChange('UPDATE_FEATURE_ENVIRONMENT', { project }) ? (['switch'] as const) : []),
    ...(mayUpdate ? (['tag', 'stale'] as const) : []),
    ...(mayChange('DELETE_FEATURE', { project }) ? (['archive'] as const) : []),
  ]
}
