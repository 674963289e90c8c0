import type { UnknownFlag } from '@burgee/protocol/usage'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchUnknownFlags } from '../api/instance.ts'
import { CodePlace } from '../flag/code/code-place.tsx'
import { readLastProject } from '../shell/project/last-project.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { APPLICATION_TEXTS } from './texts.ts'

const MAX_SHOWN = 100
const MAX_CALLERS_SHOWN = 5

/**
 * Section that lists names that applications request but that no flag has, with the requesting applications, newest
 * first.
 */
export function UnknownFlagSection() {
  const own = useCatalogue(APPLICATION_TEXTS)
  const { number } = useFormat()
  const answer = useQuery({ queryKey: ['unknown-flags'], queryFn: fetchUnknownFlags })
  return (
    <Section title={own.unknownFlags}>
      <Loaded answer={answer}>
        {({ unknownFlags: all }) =>
          all.length === 0 ? (
            <Text>{own.noUnknownFlags}</Text>
          ) : (
            <>
              <Text size="sm" mb="xs">
                {own.unknownFlagsText}
              </Text>
              <UnknownFlagTable flags={all.slice(0, MAX_SHOWN)} />
              {all.length > MAX_SHOWN && (
                <Text size="sm" c="dimmed" mt="xs">
                  {own.moreUnknown(number(MAX_SHOWN), number(all.length))}
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function UnknownFlagTable({ flags }: { flags: readonly UnknownFlag[] }) {
  const t = useTexts()
  const own = useCatalogue(APPLICATION_TEXTS)
  const { ago, number } = useFormat()
  const project = readLastProject()
  const mayCreate = usePermissionCheck()('CREATE_FEATURE', { project })
  return (
    <Table
      label={own.unknownFlags}
      columns={[own.name, own.askedBy, t.common.lastSeen, ...(mayCreate ? [t.common.actions] : [])]}
    >
      {flags.map(({ name, lastSeenAt, lastEventAt, reports, references, referenceCount }) => (
        <tr key={name}>
          <th scope="row">
            <Stack gap={0}>
              {name}
              {lastEventAt !== null && (
                <Text size="xs" c="dimmed">
                  {own.existed(ago(lastEventAt))}
                </Text>
              )}
              {references.map((reference) => (
                <Text
                  key={`${reference.repository} ${reference.path}:${reference.line}`}
                  size="xs"
                  style={{ overflowWrap: 'anywhere' }}
                >
                  <CodePlace reference={reference} /> {reference.repository}
                </Text>
              ))}
              {referenceCount > references.length && (
                <Text size="xs" c="dimmed">
                  {own.morePlaces(number(referenceCount - references.length))}
                </Text>
              )}
            </Stack>
          </th>
          <td>{formatCallers(reports, own.asker)}</td>
          <td className={ui.short}>{ago(lastSeenAt)}</td>
          {mayCreate && (
            <td>
              <LinkButton to="/projects/$project" params={{ project }} search={{ create: true, named: name }}>
                {own.create}
              </LinkButton>
            </td>
          )}
        </tr>
      ))}
    </Table>
  )
}

function formatCallers(
  reports: UnknownFlag['reports'],
  asker: (application: string, environments: string) => string,
): string {
  const names = reports
    .slice(0, MAX_CALLERS_SHOWN)
    .map(({ appName, environments }) => asker(appName, environments.map((one) => one.environment).join(', ')))
  return reports.length > MAX_CALLERS_SHOWN ? `${names.join(', ')} …` : names.join(', ')
}
