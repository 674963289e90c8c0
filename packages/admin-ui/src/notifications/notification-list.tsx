import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { markNotificationsRead } from '../api/events.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import { Notice, ProblemNotice } from '../ui/page/problem.tsx'
import { EntryGroupItem } from './entry-group-item.tsx'
import { groupNotifications } from './entry-groups.ts'
import styles from './notifications.module.css'
import { NOTIFICATION_TEXTS } from './texts.ts'
import { UnusedFlagItem } from './unused-flag-item.tsx'
import { useNotifications } from './use-notifications.ts'

const PAGE_SIZE = 50

/**
 * List of notifications, newest first. Unread entries, including new entries, remain marked while the list is open.
 * Unread entries count as read when the list is closed or the button is pressed.
 */
export function NotificationList({ titleId, close }: { titleId: string; close: () => void }) {
  const t = useCatalogue(NOTIFICATION_TEXTS)
  const texts = useTexts()
  const queries = useQueryClient()
  const { data, error, refetch } = useNotifications(PAGE_SIZE)
  const newest = data?.notifications[0]?.id ?? 0
  const isEmpty = data?.notifications.length === 0 && data.unusedFlags.length === 0
  // Change requests to review or apply, and flags to archive, remain unread until that has happened.
  const isNew = data !== undefined && data.unread > 0 && newest > data.readUpTo
  const markRead = async () => {
    await markNotificationsRead(newest)
    await queries.invalidateQueries({ queryKey: ['notifications'] })
  }
  useMarkReadOnUnmount(isNew, markRead)
  return (
    <>
      <div className={styles.top}>
        <h2 id={titleId} className={styles.title}>
          {texts.bell.title}
        </h2>
        <Button
          variant="subtle"
          size="compact-sm"
          {...(isNew ? {} : { 'data-disabled': true })}
          aria-disabled={!isNew}
          onClick={() => {
            if (isNew) markRead().catch((problem: unknown) => showFailure(texts, t.markRead, problem))
          }}
        >
          {t.markRead}
        </Button>
      </div>
      {data === undefined && error !== null && <ProblemNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <p className={styles.coming}>{t.coming}</p>}
      {data !== undefined && isEmpty && <Notice title={t.empty}>{t.emptyText}</Notice>}
      {data !== undefined && !isEmpty && (
        <ol className={styles.list} aria-label={t.list}>
          {data.unusedFlags.map((flag) => (
            <UnusedFlagItem key={flag.feature} flag={flag} leave={close} />
          ))}
          {groupNotifications(data.notifications).map((group) => (
            <EntryGroupItem key={group.id} group={group} readUpTo={data.readUpTo} leave={close} />
          ))}
        </ol>
      )}
    </>
  )
}

/**
 * Marks the displayed notifications as read when the list is unmounted. If the request fails, the notifications remain
 * unread.
 */
function useMarkReadOnUnmount(isNew: boolean, markRead: () => Promise<void>): void {
  const last = useRef({ isNew, markRead })
  useEffect(() => {
    last.current = { isNew, markRead }
  })
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => {
    // If the list is mounted again immediately, it was not closed.
    clearTimeout(timer.current)
    return () => {
      timer.current = window.setTimeout(() => {
        if (last.current.isNew) last.current.markRead().catch(() => undefined)
      })
    }
  }, [])
}
