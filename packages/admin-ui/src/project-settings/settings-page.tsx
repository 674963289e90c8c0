import type { ProjectOverview } from '@burgee/protocol/project'
import { Alert, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { fetchProjectOverview } from '../api/project-settings.ts'
import { ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { TRANSFER_TEXTS } from '../transfer/texts.ts'
import { Transfer } from '../transfer/transfer.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { ArchiveProject } from './archive-project.tsx'
import { GeneralSettings } from './general.tsx'
import { ProjectEnvironments } from './project-environments.tsx'
import { ProjectMembersSection } from './project-members.tsx'
import { ProjectTokens } from './project-tokens.tsx'
import { SETTINGS_TABS, type SettingsSearch } from './search-params.ts'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects/$project/settings')
const GENERAL = 'general'

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
  const { tab: transfer } = useCatalogue(TRANSFER_TEXTS)
  const { tab = GENERAL } = route.useSearch()
  const mayReadTokens = usePermissionCheck()('READ_PROJECT_API_TOKEN', { project })
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
          <Tabs value={tab} onChange={go} keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value={GENERAL}>{own.general}</Tabs.Tab>
              <Tabs.Tab value="environments">{own.environments}</Tabs.Tab>
              <Tabs.Tab value="members">{own.members}</Tabs.Tab>
              {mayReadTokens && <Tabs.Tab value="tokens">{own.tokens}</Tabs.Tab>}
              <Tabs.Tab value="transfer">{transfer}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value={GENERAL}>
              <General overview={overview} />
            </Tabs.Panel>
            <Tabs.Panel value="environments">
              <ProjectEnvironments project={project} />
            </Tabs.Panel>
            <Tabs.Panel value="members">
              <ProjectMembersSection project={project} />
            </Tabs.Panel>
            {mayReadTokens && (
              <Tabs.Panel value="tokens">
                <ProjectTokens project={project} />
              </Tabs.Panel>
            )}
            <Tabs.Panel value="transfer">
              <Transfer project={project} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </Page>
  )
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
      {may('DELETE_PROJECT', { project: overview.id }) && <ArchiveProject overview={overview} />}
    </Stack>
  )
}
