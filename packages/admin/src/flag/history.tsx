import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { flagEvents } from '../api/events.ts'
import { EventList } from '../events/event-list.tsx'
import { EVENT_TEXTS } from '../events/texts.ts'
import { useTexts } from '../text/texts.tsx'
import { Notice, ProblemNotice } from '../ui/page/problem.tsx'

const PAGE = 30

/** What happened to a flag, newest first. */
export function History({ feature }: { feature: string }) {
  const t = useTexts(EVENT_TEXTS)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['events', 'flag', feature],
    queryFn: ({ pageParam }) => flagEvents(feature, pageParam, PAGE),
    initialPageParam: 0,
    staleTime: 0,
    getNextPageParam: (last, _pages, offset) => (offset + PAGE < last.totalEvents ? offset + PAGE : undefined),
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
