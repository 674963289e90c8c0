import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { PROJECTS } from '../api/queries.ts'
import { Drafts } from '../proposals/drafts.tsx'
import { ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { useProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import type { Texts } from '../text/en.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { LightButton } from '../ui/form/light-button.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Notice, ProblemNotice } from '../ui/page/problem.tsx'
import ui from '../ui/ui.module.css'
import { BulkBar, useBulkKinds } from './bulk/bulk-bar.tsx'
import { useHiddenColumns, useIsNarrow } from './flag-columns.ts'
import { FlagFilters } from './flag-filters.tsx'
import { FlagTable } from './flag-table.tsx'
import styles from './flags.module.css'
import { ListMenus } from './menus/list-menus.tsx'
import {
  buildFlagQuery,
  type FlagSearch,
  isFiltered,
  isMineOnly,
  isOverdueOnly,
  withoutFilters,
} from './search-params.ts'
import { useSelection } from './selection.ts'
import { TableSkeleton } from './table-skeleton.tsx'
import { coverSamePages, type RowRange, useFlagRows } from './use-flag-rows.ts'
import { ViewTabs } from './views/view-tabs.tsx'

const CreateFlag = lazyDialog('CreateFlag', async () => (await import('./create-flag.tsx')).CreateFlag)
const route = getRouteApi('/app/projects/$project')

/** Page of a project's flags, searched, filtered and sorted by the URL parameters. */
export function FlagsPage() {
  const { project } = route.useParams()
  return (
    <ProjectBoundary project={project}>
      <Flags project={project} />
    </ProjectBoundary>
  )
}

function Flags({ project }: { project: string }) {
  const t = useTexts()
  const search = route.useSearch()
  const navigate = useNavigate()
  const [range, setRange] = useState<RowRange>({ first: 0, last: 30 })
  const see = useCallback((next: RowRange) => setRange((now) => (coverSamePages(now, next) ? now : next)), [])
  const { hidden } = useHiddenColumns()
  const isNarrow = useIsNarrow()
  const query = buildFlagQuery(project, search, hidden)
  const list = JSON.stringify([project, query])
  const rows = useFlagRows(query, range.first, range.last)
  const selection = useSelection(JSON.stringify({ ...query, sort: undefined, order: undefined }))
  const isSelectable = useBulkKinds(project, query.isArchived === true).length > 0
  const mayCreate = usePermissionCheck()('CREATE_FEATURE', { project })
  // An empty list may also mean that the user cannot see the project. The list of projects decides, because it contains
  // only projects that the user can see.
  const projectName = useProjectName(useIdleOnce())
  const { isLoading: isUnsure } = useQuery({ ...PROJECTS, enabled: rows.total === 0 })
  const go = (next: FlagSearch, replace = false): void =>
    void navigate({ to: '/projects/$project', params: { project }, search: next, replace })
  const create = mayCreate && (
    <LightButton look="main" onClick={() => go({ ...search, create: true })}>
      {t.flags.create}
    </LightButton>
  )
  return (
    <div className={styles.page}>
      <title>{`${t.flags.title} · ${projectName(project)} · Burgee`}</title>
      <header className={ui.pageHead}>
        <h1 className={styles.title}>
          {t.flags.title} <Count total={rows.total} />
        </h1>
        <span className={styles.menus}>
          <ListMenus />
          {!isNarrow && (
            <LinkButton to="/projects/$project/compare" params={{ project }} size="sm">
              {t.list.compare}
            </LinkButton>
          )}
          {create}
        </span>
      </header>
      <Drafts project={project} />
      <ViewTabs search={search} go={go} />
      <FlagFilters project={project} search={search} go={go} />
      {rows.total !== undefined && <BulkBar project={project} query={query} selection={selection} total={rows.total} />}
      {rows.error !== null ? (
        <ProblemNotice error={rows.error} retry={rows.retry} />
      ) : rows.total === undefined || isUnsure ? (
        <TableSkeleton />
      ) : rows.total === 0 ? (
        <EmptyList project={project} search={search} create={create} clear={() => go(withoutFilters(search))} />
      ) : (
        <FlagTable
          key={list}
          project={project}
          list={list}
          search={search}
          rows={rows}
          go={go}
          seen={see}
          selection={isSelectable ? selection : undefined}
        />
      )}
      {mayCreate && search.create === true && (
        <CreateFlag project={project} named={search.named} close={() => go(dropCreateParams(search), true)} />
      )}
    </div>
  )
}

function Count({ total }: { total: number | undefined }) {
  const t = useTexts()
  const { number } = useFormat()
  return (
    <span className={styles.count} role="status">
      {total !== undefined && t.flags.found(total, number(total))}
    </span>
  )
}

function dropCreateParams({ create: _create, named: _named, ...search }: FlagSearch): FlagSearch {
  return search
}

interface EmptyListProps {
  readonly project: string
  readonly search: FlagSearch
  readonly clear: () => void
  readonly create: React.ReactNode
}

function EmptyList({ project, search, clear, create }: EmptyListProps) {
  const t = useTexts()
  if (isFiltered(search)) {
    const action = (
      <Button variant="default" onClick={clear}>
        {t.flags.clear}
      </Button>
    )
    return <Notice action={action} {...getEmptyTexts(t, search)} />
  }
  return (
    <Notice title={t.flags.empty} action={<FirstFlagHint project={project} create={create} />}>
      {create ? t.flags.emptyText : t.flags.emptyViewer}
    </Notice>
  )
}

/** Returns the message for a search without results. */
function getEmptyTexts({ flags, list }: Texts, search: FlagSearch): { title: string; children?: string } {
  if (isOverdueOnly(search)) return { title: flags.noneOverdue }
  if (isMineOnly(search)) return { title: list.noneMine, children: list.noneMineText }
  return { title: flags.noMatch, children: flags.noMatchText }
}

function FirstFlagHint({ project, create }: Pick<EmptyListProps, 'project' | 'create'>) {
  const t = useTexts()
  return (
    <>
      {create}
      <LinkButton to="/connect" search={{ project }} size="sm">
        {t.nav.connect}
      </LinkButton>
    </>
  )
}
