import { Button, Group, Select, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { searchArchive } from '../api/archive.ts'
import { PROJECTS } from '../api/queries.ts'
import { dropEmpty } from '../shell/search-params.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { SearchText } from '../ui/form/debounced-input.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { ArchiveTable } from './archive-table.tsx'
import type { ArchiveSearch } from './search-params.ts'
import { ARCHIVE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/archive')
const PAGE_SIZE = 50

/** Page with the archived flags of one project or all projects, which can be revived or permanently deleted. */
export function ArchivePage() {
  const { archive: own } = useCatalogue(ARCHIVE_TEXTS)
  const search = route.useSearch()
  const navigate = useNavigate()
  const { q = '', project, page = 1 } = search
  const query = { text: q.trim(), project, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
  const found = useQuery({
    queryKey: ['archive', query],
    queryFn: () => searchArchive(query),
    placeholderData: keepPreviousData,
  })
  const go = (change: { [K in keyof ArchiveSearch]: ArchiveSearch[K] | undefined }, replace = false): void =>
    void navigate({ to: '/archive', search: dropEmpty({ ...search, page: undefined, ...change }), replace })
  const isFiltered = query.text !== '' || project !== undefined
  const answer = { ...found, data: found.data?.features }
  const total = found.data?.total
  return (
    <ListPage
      title={own.title}
      intro={own.intro}
      answer={answer}
      filters={<Filters search={search} total={total} go={go} />}
      empty={isFiltered ? { title: own.noMatch, text: own.noMatchText } : { title: own.empty, text: own.emptyText }}
    >
      {(flags) => (
        <>
          <ArchiveTable key={JSON.stringify(query)} flags={flags} />
          <Pages page={page} total={total ?? 0} go={(next) => go({ page: next > 1 ? next : undefined })} />
        </>
      )}
    </ListPage>
  )
}

interface FilterProps {
  readonly search: ArchiveSearch
  readonly total: number | undefined
  readonly go: (change: { [K in keyof ArchiveSearch]: ArchiveSearch[K] | undefined }, replace?: boolean) => void
}

function Filters({ search: { q = '', project = '' }, total, go }: FilterProps) {
  const { archive: own } = useCatalogue(ARCHIVE_TEXTS)
  const { number } = useFormat()
  const { data: projects = [] } = useQuery(PROJECTS)
  const known = projects.map(({ id, name }) => ({ value: id, label: name }))
  const isUnknown = project !== '' && known.every(({ value }) => value !== project)
  return (
    <Group component="search" mb="md">
      <SearchText label={own.search} hint={own.searchHint} value={q} settle={(text) => go({ q: text }, true)} />
      <Select
        aria-label={own.anyProject}
        data={[
          { value: '', label: own.anyProject },
          ...known,
          ...(isUnknown ? [{ value: project, label: project }] : []),
        ]}
        value={project}
        searchable
        onChange={(next) => go({ project: next ?? undefined })}
      />
      <Text size="sm" c="dimmed" role="status">
        {total !== undefined && own.found(total, number(total))}
      </Text>
    </Group>
  )
}

function Pages({ page, total, go }: { page: number; total: number; go: (page: number) => void }) {
  const { archive: own } = useCatalogue(ARCHIVE_TEXTS)
  const { number } = useFormat()
  const first = (page - 1) * PAGE_SIZE + 1
  const last = Math.min(page * PAGE_SIZE, total)
  if (total <= PAGE_SIZE) return null
  return (
    <Group component="nav" aria-label={own.pages} justify="center" mt="md">
      <Button variant="default" disabled={page === 1} onClick={() => go(page - 1)}>
        {own.newer}
      </Button>
      <Text size="sm">{own.page(number(first), number(last), number(total))}</Text>
      <Button variant="default" disabled={last >= total} onClick={() => go(page + 1)}>
        {own.older}
      </Button>
    </Group>
  )
}
