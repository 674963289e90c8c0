import type { Event } from '@burgee/protocol/event'
import { Alert } from '@mantine/core'
import { findDifferences, isMeaningful } from '../diff/diff.ts'
import { DiffTable } from '../diff/diff-table.tsx'
import { usePersonName } from '../people/person-names.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import styles from './edit-conflict.module.css'
import { CONFLICT_TEXTS } from './texts.ts'

/** Version of a resource, both as a request body and as a description in words. */
interface Version {
  readonly body: unknown
  readonly text?: string
}

interface Props {
  readonly kind: keyof (typeof CONFLICT_TEXTS)['en']['titles']
  /** Event that recorded the change, with author and time; undefined if unknown. */
  readonly event: Event | undefined
  readonly theirs: Version
  readonly mine: Version
}

/** Notice that another user has changed the resource, compared with the user's unsaved version. */
export function ConflictNotice({ kind, event, theirs, mine }: Props) {
  const t = useCatalogue(CONFLICT_TEXTS)
  const { ago } = useFormat()
  const { name } = usePersonName({ id: event?.createdByUserId ?? 0, username: event?.createdBy ?? '' })
  const changes = findDifferences(theirs.body, mine.body).filter(isMeaningful)
  const hasTexts = theirs.text !== undefined && mine.text !== undefined
  return (
    <Alert color="yellow" role="alert" title={t.titles[kind]} mb="sm" className={styles.notice ?? ''}>
      <p className={styles.text}>
        {event === undefined ? t.unknown : t.by(name, ago(event.createdAt))} {t.text}
      </p>
      {hasTexts && (
        <dl className={styles.versions}>
          <dt>{t.theirs}</dt>
          <dd>{theirs.text}</dd>
          <dt>{t.mine}</dt>
          <dd>{mine.text}</dd>
        </dl>
      )}
      {changes.length > 0 && (
        <details open={!hasTexts}>
          <summary>{t.differences(changes.length)}</summary>
          <DiffTable changes={changes} before={t.theirs} after={t.mine} />
        </details>
      )}
    </Alert>
  )
}
