import { Button, Group, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { EventQuery } from '../api/events.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { EventExportMenu } from './event-export-menu.tsx'
import { EventFilters } from './event-filters.tsx'
import { EventList } from './event-list.tsx'
import styles from './events.module.css'
import { EVENT_TEXTS } from './texts.ts'
import { type EventLog, useEventLog } from './use-event-log.ts'

const route = getRouteApi('/app/events')
/** Scroll offset in pixels up to which the list counts as scrolled to the top. */
const TOP_THRESHOLD_PX = 40

/** Page of all events, newest first, with live updates. */
export function EventsPage() {
  const t = useTexts(EVENT_TEXTS)
  const search = route.useSearch()
  const navigate = useNavigate()
  const go = (next: EventQuery, replace = false): void => void navigate({ to: '/events', search: next, replace })
  return (
    <Page title={t.events.title} actions={<EventExportMenu search={search} />}>
      <EventFilters search={search} go={go} />
      <Log key={JSON.stringify(search)} search={search} clear={() => go({})} />
    </Page>
  )
}

function Log({ search, clear }: { search: EventQuery; clear: () => void }) {
  const t = useTexts(EVENT_TEXTS)
  const words = useCatalogue(EVENT_TEXTS).log
  const place = useRef<HTMLDivElement>(null)
  const log = useEventLog(search, () => isScrolledDown(place.current))
  const isFiltered = Object.keys(search).length > 0
  const answer = { data: log.events, error: log.error, refetch: log.refetch }
  const showWaiting = (): void => {
    log.showNew()
    getScrollContainer()?.scrollTo({ top: 0 })
  }
  return (
    <div ref={place}>
      <Status log={log} show={showWaiting} />
      <Loaded answer={answer}>
        {(events) =>
          events.length > 0 ? (
            <EventList events={events} withFlag />
          ) : (
            <Notice
              title={isFiltered ? t.events.noMatch : t.events.empty}
              action={
                isFiltered && (
                  <Button variant="default" onClick={clear}>
                    {t.flags.clear}
                  </Button>
                )
              }
            >
              {isFiltered ? words.noMatchText : t.events.emptyText}
            </Notice>
          )
        }
      </Loaded>
      {(log.more !== undefined || log.isLoadingMore) && (
        <Button variant="default" mt="md" loading={log.isLoadingMore} onClick={log.more}>
          {t.events.older}
        </Button>
      )}
    </div>
  )
}

function Status({ log, show }: { log: EventLog; show: () => void }) {
  const t = useCatalogue(EVENT_TEXTS).log
  const { number } = useFormat()
  return (
    <Group justify="space-between" className={styles.status ?? ''} data-waiting={log.newCount > 0 || undefined}>
      <Text size="sm" c="dimmed" role="status">
        {log.events !== undefined && t.found(log.total, number(log.total))}
      </Text>
      <div role="status">
        {log.newCount > 0 && (
          <Button size="compact-md" onClick={show}>
            {t.showArrived(log.newCount)}
          </Button>
        )}
      </div>
      <Text size="sm" c={log.isLive ? 'dimmed' : 'var(--bad)'} role="status">
        <span className={styles.live} data-live={log.isLive || undefined} aria-hidden="true" />
        {log.isLive ? <span title={t.liveHint}>{t.live}</span> : t.notLive}
      </Text>
    </Group>
  )
}

const getScrollContainer = () => document.getElementById('content')

/** Returns true if new rows at the top would move the rows that the user is reading. */
function isScrolledDown(place: HTMLElement | null): boolean {
  const isScrolled = (getScrollContainer()?.scrollTop ?? 0) > TOP_THRESHOLD_PX
  const isInList = document.activeElement !== null && place?.querySelector('ol')?.contains(document.activeElement)
  const isOpen =
    document.querySelector('[role="dialog"]') !== null || place?.querySelector('[aria-expanded="true"]') != null
  return isScrolled || isInList === true || isOpen
}
