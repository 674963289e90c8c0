import type { Application } from '@burgee/protocol/application'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { fetchApplications } from '../api/instance.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { dropEmpty } from '../shell/search-params.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { SearchText } from '../ui/form/debounced-input.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { Revisions, useRevisions } from './application-revisions.tsx'
import { APPLICATION_TEXTS } from './texts.ts'
import { UnknownFlagSection } from './unknown-flags.tsx'

const route = getRouteApi('/app/applications/')
const LIMIT = 100

/** Page of applications that request flags, and of unknown flag names that applications request. */
export function ApplicationsPage() {
  const t = useTexts()
  const own = useCatalogue(APPLICATION_TEXTS)
  const navigate = useNavigate()
  const { q = '' } = route.useSearch()
  const go = (text: string): void =>
    void navigate({ to: '/applications', search: dropEmpty({ q: text }), replace: true })
  return (
    <Page
      title={own.title}
      actions={
        <LinkButton to="/connect" size="sm">
          {t.nav.connect}
        </LinkButton>
      }
      intro={
        <Text c="dimmed" mb="md">
          {own.intro}
        </Text>
      }
    >
      <Stack gap="lg">
        <search>
          <SearchText label={own.search} value={q} settle={go} />
        </search>
        <ApplicationResults q={q} />
        <UnknownFlagSection />
      </Stack>
    </Page>
  )
}

function ApplicationResults({ q }: { q: string }) {
  const own = useCatalogue(APPLICATION_TEXTS)
  const { number } = useFormat()
  const answer = useQuery({
    queryKey: ['applications', q],
    queryFn: () => fetchApplications(q, LIMIT),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded answer={answer}>
      {({ applications: found, total }) =>
        found.length === 0 ? (
          <Notice title={q === '' ? own.noApps : own.noMatch}>{q === '' ? own.noAppsText : own.noMatchText}</Notice>
        ) : (
          <div>
            <ApplicationTable applications={found} />
            {total > found.length && (
              <Text size="sm" c="dimmed" mt="xs">
                {own.more(number(found.length), number(total))}
              </Text>
            )}
          </div>
        )
      }
    </Loaded>
  )
}

function ApplicationTable({ applications }: { applications: readonly Application[] }) {
  const t = useTexts()
  const own = useCatalogue(APPLICATION_TEXTS)
  const { ago, date, number } = useFormat()
  const revisions = useRevisions()
  const columns = [own.application, own.kind, own.where, own.runsOn, own.sdks, own.since, t.common.lastSeen]
  return (
    <Table label={own.title} columns={columns}>
      {applications.map((one) => (
        <tr key={one.appName}>
          <th scope="row">
            <Link to="/applications/$application" params={{ application: one.appName }} className={ui.link ?? ''}>
              {one.appName}
            </Link>
          </th>
          <td>{one.kinds.length === 0 ? '–' : one.kinds.map((kind) => own.kinds[kind]).join(', ')}</td>
          <td>
            <Group gap="sm">
              {one.running.map(({ environment, instances }) => (
                <span key={environment} className={ui.short ?? ''}>
                  <EnvironmentChip name={environment} /> {number(instances)}
                </span>
              ))}
              {one.running.length === 0 && '–'}
            </Group>
          </td>
          <td>
            <Revisions revisions={revisions(one.appName)} />
          </td>
          <td>
            <Sdks application={one} />
          </td>
          <td className={ui.short}>{date(one.createdAt)}</td>
          <td className={ui.short}>{ago(one.lastSeen)}</td>
        </tr>
      ))}
    </Table>
  )
}

function Sdks({ application: { sdks, sdksWithoutParents } }: { application: Application }) {
  const own = useCatalogue(APPLICATION_TEXTS)
  if (sdks.length === 0) return '–'
  return (
    <Stack gap={2}>
      {sdks.map((sdk) => {
        const old = sdksWithoutParents.find(({ sdkVersion }) => sdkVersion === sdk)
        return (
          <span key={sdk}>
            {sdk}{' '}
            {old !== undefined && (
              <Badge color="yellow" variant="light" tt="none" title={own.oldSdk(sdk, old.knownFrom)}>
                {own.old}
              </Badge>
            )}
          </span>
        )
      })}
    </Stack>
  )
}
