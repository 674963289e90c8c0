import type { ProjectOverview } from '@burgee/protocol/project'
import { Alert, Stack, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fetchProjectOverview } from '../api/project-settings.ts'
import { ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { TRANSFER_TEXTS } from '../transfer/texts.ts'
import { Transfer } from '../transfer/transfer.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { ArchiveProject } from './archive-project.tsx'
import { DefaultStrategies } from './default-strategies.tsx'
import { GeneralSettings } from './general.tsx'
import { ProjectEnvironments } from './project-environments.tsx'
import { ProjectMembersSection } from './project-members.tsx'
import { ProjectTokens } from './project-tokens.tsx'
import { SETTINGS_TABS, type SettingsSearch } from './search-params.ts'
import styles from './settings.module.css'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects/$project/settings')
const GENERAL = 'general'
/** Window widths at which the section links are above the content; the same as in `settings.module.css`. */
const NARROW = '(max-width: 800px)'

/** Settings page of a project with its details, environments and members. */
export function SettingsPage() {
  const { project } = route.useParams()
  return (
    <ProjectBoundary project={project}>
      <Settings project={project} />
    </ProjectBoundary>
  )
}

function Settings({ project }: { project: string }) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { tab = GENERAL } = route.useSearch()
  const tabs = useSettingsTabs(project)
  const isNarrow = useMediaQuery(NARROW)
  const navigate = useNavigate()
  const answer = useQuery({ queryKey: ['project', project], queryFn: () => fetchProjectOverview(project) })
  const go = (next: string | null): void => {
    const chosen = SETTINGS_TABS.find((one) => one === next)
    const search: SettingsSearch = chosen === undefined ? {} : { tab: chosen }
    void navigate({ to: '/projects/$project/settings', params: { project }, search })
  }
  return (
    <Page title={answer.data === undefined ? own.title : `${answer.data.name}: ${own.title}`}>
      <Loaded answer={answer}>
        {(overview) => (
          <Tabs
            value={tabs.some(({ id }) => id === tab) ? tab : GENERAL}
            onChange={go}
            keepMounted={false}
            orientation={isNarrow ? 'horizontal' : 'vertical'}
            variant="pills"
            className={styles.layout ?? ''}
          >
            <Tabs.List>
              {tabs.map(({ id, name }) => (
                <Tabs.Tab key={id} value={id} className={styles.tab ?? ''}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {tabs.map(({ id, isWide = false, render }) => (
              <Tabs.Panel key={id} value={id} className={isWide ? styles.wide : styles.column}>
                {render(overview)}
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Loaded>
    </Page>
  )
}

interface SettingsTab {
  readonly id: string
  readonly name: string
  /** True for sections with tables, which need more room than forms. */
  readonly isWide?: boolean
  readonly render: (overview: ProjectOverview) => ReactNode
}

/** Returns the sections of the settings page that the user may see. */
function useSettingsTabs(project: string): SettingsTab[] {
  const { settings: own, defaults } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { tab: transfer } = useCatalogue(TRANSFER_TEXTS)
  const may = usePermissionCheck()
  const tabs: (SettingsTab & { readonly isHidden?: boolean })[] = [
    { id: GENERAL, name: own.general, render: (overview) => <General overview={overview} /> },
    {
      id: 'environments',
      name: own.environments,
      isWide: true,
      render: () => <ProjectEnvironments project={project} />,
    },
    { id: 'defaults', name: defaults.title, render: () => <DefaultStrategies project={project} /> },
    { id: 'members', name: own.members, isWide: true, render: () => <ProjectMembersSection project={project} /> },
    {
      id: 'tokens',
      name: own.tokens,
      isWide: true,
      isHidden: !may('READ_PROJECT_API_TOKEN', { project }),
      render: () => <ProjectTokens project={project} />,
    },
    { id: 'transfer', name: transfer, render: () => <Transfer project={project} /> },
    {
      id: 'danger',
      name: own.danger,
      isHidden: !may('DELETE_PROJECT', { project }),
      render: (overview) => <ArchiveProject overview={overview} />,
    },
  ]
  return tabs.filter(({ isHidden = false }) => !isHidden)
}

function General({ overview }: { overview: ProjectOverview }) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const may = usePermissionCheck()
  const mayUpdate = may('UPDATE_PROJECT', { project: overview.id })
  return (
    <Stack>
      {overview.archivedAt !== null && <Alert color="yellow">{own.isArchived}</Alert>}
      {!mayUpdate && <Alert color="gray">{own.readOnly}</Alert>}
      <GeneralSettings key={overview.id} overview={overview} mayUpdate={mayUpdate} />
    </Stack>
  )
}
