import type { ApplicationDetails, ApplicationOverview } from '@burgee/protocol/application'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { fetchApplication, fetchApplicationOverview } from '../api/instance.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { MissingPage } from '../shell/project/project-boundary.tsx'
import { isNotFound } from '../shell/project/use-is-project-missing.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { ApplicationIssues } from './application-issues.tsx'
import { APPLICATION_TEXTS } from './texts.ts'

const route = getRouteApi('/app/applications/$application')
const MAX_PROCESSES = 100

/** Page of one application with its issues, instances and flags. */
export function ApplicationPage() {
  const own = useCatalogue(APPLICATION_TEXTS)
  const t = useTexts()
  const { application: name } = route.useParams()
  const answer = useQuery({ queryKey: ['application', name], queryFn: () => fetchApplication(name) })
  const overview = useQuery({
    queryKey: ['application', name, 'overview'],
    queryFn: () => fetchApplicationOverview(name),
  })
  const back = (
    <Link to="/applications" className={ui.link ?? ''}>
      ← {own.title}
    </Link>
  )
  if (isNotFound(answer.error)) return <MissingPage title={t.errors.noneCalled(name)}>{back}</MissingPage>
  return (
    <Page title={name} back={back}>
      <Stack gap="lg">
        <Loaded answer={overview}>
          {(known) => (
            <>
              <ApplicationIssues overview={known} />
              <Environments environments={known.environments} />
            </>
          )}
        </Loaded>
        <Loaded answer={answer}>
          {({ instances, seenToggles }) => (
            <>
              <UsedFlags flags={seenToggles} />
              <Processes instances={instances} />
            </>
          )}
        </Loaded>
      </Stack>
    </Page>
  )
}

function Environments({ environments }: Pick<ApplicationOverview, 'environments'>) {
  const t = useTexts()
  const own = useCatalogue(APPLICATION_TEXTS)
  const { ago, number } = useFormat()
  return (
    <Section title={own.environments}>
      <Table
        label={own.environments}
        columns={[t.common.environment, { number: own.processes }, own.sdks, t.common.lastSeen]}
      >
        {environments.map(({ name, instanceCount, sdks, lastSeen }) => (
          <tr key={name}>
            <th scope="row">
              <EnvironmentChip name={name} />
            </th>
            <td className={ui.number}>{number(instanceCount)}</td>
            <td>{sdks.length === 0 ? '–' : sdks.join(', ')}</td>
            <td className={ui.short}>{ago(lastSeen)}</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

type ReportedExistingFlag = Exclude<ApplicationDetails['seenToggles'][number], { notFound: true }>

function UsedFlags({ flags }: { flags: ApplicationDetails['seenToggles'] }) {
  const own = useCatalogue(APPLICATION_TEXTS)
  const used = flags.filter((flag): flag is ReportedExistingFlag => !('notFound' in flag))
  return (
    <Section title={own.uses}>
      {used.length === 0 && <Text c="dimmed">{own.usesNothing}</Text>}
      <Group gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {used.map(({ name, project, archived }) => (
          <li key={name}>
            <Link
              to="/projects/$project/features/$feature"
              params={{ project, feature: name }}
              className={ui.link ?? ''}
            >
              {name}
            </Link>{' '}
            {archived && (
              <Badge variant="default" tt="none">
                {own.archived}
              </Badge>
            )}
          </li>
        ))}
      </Group>
    </Section>
  )
}

function Processes({ instances }: Pick<ApplicationDetails, 'instances'>) {
  const t = useTexts()
  const own = useCatalogue(APPLICATION_TEXTS)
  const { ago, number } = useFormat()
  const shown = instances.slice(0, MAX_PROCESSES)
  return (
    <Section title={own.processes}>
      <Table
        label={own.processes}
        columns={[own.process, t.common.environment, own.sdk, own.ip, t.common.lastSeen]}
        isDense
      >
        {shown.map(({ instanceId, environment, sdkVersion, clientIp, lastSeen }) => (
          <tr key={`${environment} ${instanceId}`}>
            <th scope="row" className={ui.mono}>
              {instanceId}
            </th>
            <td>
              <EnvironmentChip name={environment} />
            </td>
            <td>{sdkVersion ?? '–'}</td>
            <td>{clientIp ?? '–'}</td>
            <td className={ui.short}>{ago(lastSeen)}</td>
          </tr>
        ))}
      </Table>
      {shown.length < instances.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {own.moreProcesses(number(shown.length), number(instances.length))}
        </Text>
      )}
    </Section>
  )
}
