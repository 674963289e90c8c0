import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagQuery } from '../../api/flags.ts'
import { useMay } from '../../shell/session/session.tsx'
import { useFormat, useTexts } from '../../text/texts.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { tellFailed } from '../../ui/messages/feedback.ts'
import styles from '../flags.module.css'
import { allOf, type Selection } from '../selection.ts'
import type { BulkKind } from './bulk.ts'

const BulkDialog = lazyDialog('BulkDialog', async () => (await import('./bulk-dialog.tsx')).BulkDialog)

interface Props {
  readonly project: string
  readonly query: FlagQuery
  readonly total: number
  readonly selection: Selection
}

/** What is selected, and what can be done with it; nothing while nothing is. */
export function BulkBar({ project, query, total, selection }: Props) {
  const t = useTexts()
  const { number } = useFormat()
  const kinds = useKinds(project, query.isArchived === true)
  const [open, setOpen] = useState<BulkKind>()
  const all = useMutation({
    mutationFn: () => allOf(query, total),
    onSuccess: (flags) => selection.put(flags, true),
    onError: (error) => tellFailed(t, t.bulk.selectAll(number(total)), error),
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

/** What the person may do with several flags of a project. */
export function useKinds(project: string, isArchived: boolean): BulkKind[] {
  const may = useMay()
  const mayUpdate = may('UPDATE_FEATURE', { project })
  if (isArchived) return mayUpdate ? ['archive'] : []
  return [
    ...(may('UPDATE_FEATURE_ENVIRONMENT', { project }) ? (['switch'] as const) : []),
    ...(mayUpdate ? (['tag', 'stale'] as const) : []),
    ...(may('DELETE_FEATURE', { project }) ? (['archive'] as const) : []),
  ]
}
