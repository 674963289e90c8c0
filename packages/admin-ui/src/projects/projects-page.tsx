import type { Project } from '@burgee/protocol/project'
import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { fetchArchivedProjects } from '../api/project-settings.ts'
import { PROJECTS } from '../api/queries.ts'
import { dropEmpty } from '../shell/search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { SearchText } from '../ui/form/debounced-input.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { CreateProjectDialog } from './create-project.tsx'
import { ProjectCard } from './project-card.tsx'
import styles from './projects.module.css'
import type { ProjectsSearch } from './search-params.ts'
import { PROJECT_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects')
const ARCHIVED = { queryKey: ['projects', 'archived'], queryFn: fetchArchivedProjects } as const

/** Page of active or archived projects with their figures. */
export function ProjectsPage() {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const search = route.useSearch()
  const navigate = useNavigate()
  const mayCreate = usePermissionCheck()('CREATE_PROJECT')
  const isArchive = search.show === 'archived'
  const all = useQuery<Project[]>(isArchive ? ARCHIVED : PROJECTS)
  const text = (search.q ?? '').trim().toLowerCase()
  const fits = ({ id, name }: Project): boolean => [id, name].some((one) => one.toLowerCase().includes(text))
  const answer = { ...all, data: all.data?.filter(fits).sort(compareFavorites) }
  const go = (change: { [K in keyof ProjectsSearch]: string | undefined }, replace = false): void =>
    void navigate({ to: '/projects', search: dropEmpty({ ...search, ...change }), replace })
  return (
    <>
      <ListPage
        title={own.title}
        intro={own.intro}
        answer={answer}
        create={mayCreate && <Button onClick={() => go({ edit: 'new' })}>{own.create}</Button>}
        filters={
          <Group component="search" mb="md">
            <SearchText label={own.search} value={search.q ?? ''} settle={(q) => go({ q }, true)} />
            <SegmentedControl
              aria-label={own.which}
              data={[
                { value: 'live', label: own.inUse },
                { value: 'archived', label: own.archived },
              ]}
              value={isArchive ? 'archived' : 'live'}
              onChange={(show) => go({ show: show === 'archived' ? show : undefined })}
            />
          </Group>
        }
        empty={getEmptyTexts(own, text !== '', isArchive)}
      >
        {(items) => (
          <ul className={styles.cards} aria-label={own.title}>
            {items.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </ul>
        )}
      </ListPage>
      <CreateProjectDialog opened={mayCreate && search.edit === 'new'} close={() => go({ edit: undefined })} />
    </>
  )
}

/** Compares projects so that favorites come first. The order is otherwise unchanged. */
const compareFavorites = (a: Project, b: Project): number => Number(b.favorite) - Number(a.favorite)

function getEmptyTexts(own: (typeof PROJECT_TEXTS)['en']['projects'], isFiltered: boolean, isArchive: boolean) {
  if (isFiltered) return { title: own.noMatch, text: own.noMatchText, action: null }
  if (isArchive) return { title: own.emptyArchived, text: own.emptyArchivedText, action: null }
  return { title: own.empty, text: own.emptyText }
}
