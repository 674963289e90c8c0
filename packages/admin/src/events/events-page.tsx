import { Button, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type EventQuery, searchEvents } from '../api/events.ts'
import { useTexts } from '../text/texts.tsx'
import { Page } from '../ui/page.tsx'
import { Notice, ProblemNotice } from '../ui/problem.tsx'
import { EventList } from './event-list.tsx'
import styles from './events.module.css'

const route = getRouteApi('/app/events')
const PAGE = 50
const REFRESH_MS = 5000
const TYPING_MS = 300

/** Everything that happened, newest first; looks again by itself. */
export function EventsPage() {
  const t = useTexts()
  const search = route.useSearch()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['events', 'all', search],
    queryFn: ({ pageParam }) => searchEvents(search, pageParam, PAGE),
    initialPageParam: 0,
    staleTime: 0,
    refetchInterval: (query) => (query.state.error === null ? REFRESH_MS : false),
    getNextPageParam: (last, _pages, offset) => (offset + PAGE < last.total ? offset + PAGE : undefined),
  })
  const events = data?.pages.flatMap((page) => page.events)
  const isFiltered = Object.keys(search).length > 0
  return (
    <Page title={t.events.title}>
      <Filters search={search} />
      {error !== null && events === undefined ? (
        <ProblemNotice error={error} retry={() => void refetch()} />
      ) : events === undefined ? (
        <Skeleton height={320} role="status" aria-label={t.common.loading} />
      ) : events.length === 0 ? (
        <Notice title={isFiltered ? t.events.noMatch : t.events.empty}>{isFiltered ? '' : t.events.emptyText}</Notice>
      ) : (
        <EventList events={events} withFlag />
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t.events.older}
        </Button>
      )}
    </Page>
  )
}

function Filters({ search }: { search: EventQuery }) {
  const t = useTexts()
  const navigate = useNavigate()
  const put = useDebouncedCallback((name: keyof EventQuery, value: string) => {
    const { [name]: _, ...rest } = search
    void navigate({ to: '/events', search: value === '' ? rest : { ...rest, [name]: value }, replace: true })
  }, TYPING_MS)
  const fields = [
    ['type', t.events.filterType],
    ['flag', t.events.filterFlag],
    ['by', t.events.filterBy],
  ] as const
  return (
    <search className={styles.filters}>
      {fields.map(([name, label]) => (
        <TextInput
          key={name}
          label={label}
          defaultValue={search[name] ?? ''}
          onChange={(event) => put(name, event.currentTarget.value.trim())}
        />
      ))}
    </search>
  )
}
