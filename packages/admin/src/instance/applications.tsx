import type { Application } from '@burgee/protocol/application'
import { Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { applications } from '../api/instance.ts'
import { compact } from '../shell/search-params.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { SearchText } from '../ui/form/settled-input.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { ApplicationDialog } from './application-dialog.tsx'
import { INSTANCE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/instance')
const LIMIT = 100

/** Applications that ask for flags; each opens to show where it runs and what it asks for. */
export function ApplicationSection() {
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  const { number } = useFormat()
  const search = route.useSearch()
  const navigate = useNavigate()
  const { q = '', app } = search
  const answer = useQuery({
    queryKey: ['applications', q],
    queryFn: () => applications(q, LIMIT),
    placeholderData: keepPreviousData,
  })
  const go = (change: { q?: string; app?: string | undefined }, replace = false): void =>
    void navigate({ to: '/instance', search: compact({ ...search, ...change }), replace })
  return (
    <Section
      title={own.apps}
      actions={
        <search>
          <SearchText label={own.appsSearch} value={q} settle={(text) => go({ q: text }, true)} />
        </search>
      }
    >
      <Loaded answer={answer}>
        {({ applications: found, total }) =>
          found.length === 0 ? (
            <Text>
              <strong>{q === '' ? own.noApps : own.noMatch}.</strong> {q === '' ? own.noAppsText : own.noMatchText}
            </Text>
          ) : (
            <>
              <ApplicationTable applications={found} q={q} />
              {total > found.length && (
                <Text size="sm" c="dimmed" mt="xs">
                  {own.more(number(found.length), number(total))}
                </Text>
              )}
            </>
          )
        }
      </Loaded>
      <ApplicationDialog name={app} close={() => go({ app: undefined })} />
    </Section>
  )
}

function ApplicationTable({ applications, q }: { applications: readonly Application[]; q: string }) {
  const t = useTexts()
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  const { ago, date, number } = useFormat()
  return (
    <Table label={own.apps} columns={[own.application, own.where, own.since, t.common.lastSeen]}>
      {applications.map(({ appName, running, createdAt, lastSeen }) => (
        <tr key={appName}>
          <th scope="row">
            <Link to="/instance" search={compact({ q, app: appName })} className={ui.link ?? ''}>
              {appName}
            </Link>
          </th>
          <td>
            <Group gap="sm">
              {running.map(({ environment, instances }) => (
                <span key={environment}>{own.running(environment, number(instances))}</span>
              ))}
              {running.length === 0 && '–'}
            </Group>
          </td>
          <td className={ui.short}>{date(createdAt)}</td>
          <td className={ui.short}>{ago(lastSeen)}</td>
        </tr>
      ))}
    </Table>
  )
}
