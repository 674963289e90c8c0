import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { fetchFlagEvents } from '../api/events.ts'
import type { FlagRef } from '../api/flags.ts'
import type { PointInTime } from '../api/history.ts'
import { EventList } from '../events/event-list.tsx'
import { EVENT_TEXTS } from '../events/texts.ts'
import { PastFlag } from '../flag-history/past-flag.tsx'
import { PointInTimeForm } from '../flag-history/point-in-time-form.tsx'
import { HISTORY_TEXTS } from '../flag-history/texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Notice, ProblemNotice } from '../ui/page/problem.tsx'
import type { FlagPageSearch } from './search-params.ts'

const PAGE_SIZE = 30
const route = getRouteApi('/app/projects/$project/features/$feature')

interface Props extends FlagRef {
  /** True if the flag has been deleted, so that only past states can be shown. */
  readonly isGone?: boolean
}

/** Events of a flag, newest first, and the state of the flag at a selected point in time. */
export function FlagHistoryTab({ project, feature, isGone = false }: Props) {
  const { event, at, toEvent, toAt } = route.useSearch()
  const words = useCatalogue(HISTORY_TEXTS)
  const navigate = useNavigate()
  const open = (search: FlagPageSearch): void =>
    void navigate({
      to: '/projects/$project/features/$feature',
      params: { project, feature },
      search: { tab: 'history', ...search },
    })
  const go = (moment: PointInTime, to: PointInTime): void => open(toSearch(moment, to))
  if (event !== undefined || at !== undefined) {
    const leave = isGone ? undefined : () => open({})
    const [moment, to] = [
      event === undefined ? { at } : { event },
      toEvent === undefined ? { at: toAt } : { event: toEvent },
    ]
    return <PastFlag project={project} feature={feature} moment={moment} to={to} go={go} leave={leave} />
  }
  return (
    <>
      <PointInTimeForm label={words.time} hint={words.timeHint} at="" go={(time) => go({ at: time }, {})} />
      <FlagEvents feature={feature} />
    </>
  )
}

function toSearch(moment: PointInTime, to: PointInTime): FlagPageSearch {
  return {
    ...(moment.event === undefined ? {} : { event: moment.event }),
    ...(moment.at === undefined ? {} : { at: moment.at }),
    ...(to.event === undefined ? {} : { toEvent: to.event }),
    ...(to.at === undefined ? {} : { toAt: to.at }),
  }
}

function FlagEvents({ feature }: { feature: string }) {
  const t = useTexts(EVENT_TEXTS)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['events', 'flag', feature],
    queryFn: ({ pageParam }) => fetchFlagEvents(feature, pageParam, PAGE_SIZE),
    initialPageParam: 0,
    staleTime: 0,
    getNextPageParam: (last, _pages, offset) =>
      offset + PAGE_SIZE < last.totalEvents ? offset + PAGE_SIZE : undefined,
  })
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={240} role="status" aria-label={t.common.loading} />
  const events = data.pages.flatMap((page) => page.events)
  if (events.length === 0) return <Notice title={t.events.empty}>{t.events.emptyText}</Notice>
  return (
    <>
      <EventList events={events} withFlag={false} />
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t.events.older}
        </Button>
      )}
    </>
  )
}
