import type { StaleFlags, StaleReason } from '@burgee/protocol/administration/stale-flags'
import { Button, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchStaleFlags } from '../api/bulk.ts'
import { type Selection, useSelection } from '../flags/selection.ts'
import { InsightsTabs } from '../insights/insights-tabs.tsx'
import { useProject } from '../shell/project/use-project.ts'
import { dropEmpty } from '../shell/search-params.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import type { StalePageSearch } from './search-params.ts'
import { StaleBar } from './stale-bar.tsx'
import { StaleTable } from './stale-table.tsx'
import { STALE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/stale')
const ALL = '*'
const SNOOZED = 'snoozed'
const PAGE_SIZE = 100
const MAX_ROWS = 1000
const KINDS: readonly StaleReason['kind'][] = ['marked', 'overdue', 'open', 'unseen']

/**
 * Page with the flags of one project or all projects that can be removed, with reasons and with actions to snooze, mark
 * or archive them.
 */
export function StalePage() {
  const t = useCatalogue(STALE_TEXTS)
  const { number } = useFormat()
  const search = route.useSearch()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const here = useProject()
  const project = search.project === ALL ? undefined : here
  const isSnoozed = search.show === SNOOZED
  const reason = KINDS.find((kind) => kind === search.reason)
  const answer = useQuery({
    queryKey: ['stale', project ?? ALL, reason ?? '', isSnoozed, limit],
    queryFn: () => fetchStaleFlags({ project, reason, snoozed: isSnoozed, limit }),
    placeholderData: keepPreviousData,
  })
  const selection = useSelection(JSON.stringify([project, reason, isSnoozed]))
  const shown = restrictToList(selection, answer.data)
  return (
    <Page
      title={t.title}
      tabs={<InsightsTabs project={here} here="stale" />}
      intro={
        <Text c="dimmed" mb="md">
          {t.intro}
        </Text>
      }
    >
      <Filters search={search} here={here} snoozed={answer.data?.snoozed ?? 0} />
      {project === undefined ? (
        <Text size="sm" c="dimmed" mb="sm">
          {t.everywhereHint}
        </Text>
      ) : (
        <StaleBar project={project} selection={shown} isSnoozed={isSnoozed} />
      )}
      <Loaded answer={answer}>
        {({ flags, total }) =>
          flags.length === 0 ? (
            <EmptyNotice isSnoozed={isSnoozed} />
          ) : (
            <>
              <StaleTable flags={flags} selection={project === undefined ? undefined : selection} />
              {total > flags.length && (
                <Group mt="sm">
                  <Text size="sm" c="dimmed">
                    {t.shown(number(flags.length), number(total))}
                  </Text>
                  {limit < MAX_ROWS && (
                    <Button size="compact-sm" variant="default" onClick={() => setLimit(MAX_ROWS)}>
                      {t.showMore}
                    </Button>
                  )}
                </Group>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/**
 * Returns the selected flags that are still in the list. Actions on single rows may have removed other flags from the
 * list.
 */
function restrictToList(selection: Selection, list: StaleFlags | undefined): Selection {
  const names = new Set(list?.flags.map(({ feature }) => feature.name))
  return { ...selection, flags: selection.flags.filter(({ name }) => names.has(name)) }
}

function EmptyNotice({ isSnoozed }: { isSnoozed: boolean }) {
  const t = useCatalogue(STALE_TEXTS)
  return <Notice title={isSnoozed ? t.emptySnoozed : t.empty}>{isSnoozed ? t.emptySnoozedText : t.emptyText}</Notice>
}

function Filters({ search, here, snoozed }: { search: StalePageSearch; here: string; snoozed: number }) {
  const t = useCatalogue(STALE_TEXTS)
  const { number } = useFormat()
  const navigate = useNavigate()
  const go = (change: StalePageSearch): void =>
    void navigate({ to: '/stale', search: dropEmpty({ ...search, ...change }), replace: true })
  return (
    <Group mb="md" align="flex-end">
      <NativeSelect
        label={t.where}
        value={search.project === ALL ? ALL : ''}
        data={[
          { value: '', label: t.here },
          { value: ALL, label: t.everywhere },
        ]}
        onChange={(event) => go({ project: event.currentTarget.value === ALL ? ALL : here })}
      />
      <NativeSelect
        label={t.why}
        value={search.reason ?? ''}
        data={[{ value: '', label: t.any }, ...KINDS.map((kind) => ({ value: kind, label: t.kinds[kind] ?? kind }))]}
        onChange={(event) => go({ reason: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={t.which}
        value={search.show === SNOOZED ? SNOOZED : ''}
        data={[
          { value: '', label: t.toDo },
          { value: SNOOZED, label: t.snoozed(number(snoozed)) },
        ]}
        onChange={(show) => go({ show })}
      />
    </Group>
  )
}
