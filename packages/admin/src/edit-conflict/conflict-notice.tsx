import type { Event } from '@burgee/protocol/event'
import { Alert } from '@mantine/core'
import { differences, isTelling } from '../difference/difference.ts'
import { DifferenceTable } from '../difference/difference-table.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import styles from './edit-conflict.module.css'
import { CONFLICT_TEXTS } from './texts.ts'

/** One of two versions: what would be sent to the server, and how people read it. */
interface Version {
  readonly body: unknown
  readonly text?: string
}

interface Props {
  readonly kind: keyof (typeof CONFLICT_TEXTS)['en']['titles']
  /** Who changed it, and when, where that is known. */
  readonly event: Event | undefined
  readonly theirs: Version
  readonly mine: Version
}

/** What somebody else has made of a thing meanwhile, beside what the person is about to save. */
export function ConflictNotice({ kind, event, theirs, mine }: Props) {
  const t = useCatalogue(CONFLICT_TEXTS)
  const { ago } = useFormat()
  const changes = differences(theirs.body, mine.body).filter(isTelling)
  const hasTexts = theirs.text !== undefined && mine.text !== undefined
  return (
    <Alert color="yellow" role="alert" title={t.titles[kind]} mb="sm" className={styles.notice ?? ''}>
      <p className={styles.text}>
        {event === undefined ? t.unknown : t.by(event.createdBy, ago(event.createdAt))} {t.text}
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
          <DifferenceTable changes={changes} before={t.theirs} after={t.mine} />
        </details>
      )}
    </Alert>
  )
}
