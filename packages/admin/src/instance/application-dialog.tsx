import type { ApplicationDetails } from '@burgee/protocol/application'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { application } from '../api/instance.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import styles from './instance.module.css'
import { INSTANCE_TEXTS } from './texts.ts'

/** An application with its processes and the flags it asks for; `name` undefined: closed. */
export function ApplicationDialog({ name, close }: { name: string | undefined; close: () => void }) {
  return (
    <Dialog title={name ?? ''} opened={name !== undefined} close={close}>
      {name !== undefined && <Details name={name} />}
    </Dialog>
  )
}

function Details({ name }: { name: string }) {
  const answer = useQuery({ queryKey: ['application', name], queryFn: () => application(name) })
  return (
    <Loaded answer={answer}>
      {(details) => (
        <Stack>
          <Instances instances={details.instances} />
          <Flags flags={details.seenToggles} />
        </Stack>
      )}
    </Loaded>
  )
}

function Instances({ instances }: { instances: ApplicationDetails['instances'] }) {
  const t = useTexts()
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  const { ago } = useFormat()
  return (
    <Table
      label={own.instances}
      columns={[own.instance, t.common.environment, own.sdk, own.ip, t.common.lastSeen]}
      isDense
    >
      {instances.map(({ instanceId, environment, sdkVersion, clientIp, lastSeen }) => (
        <tr key={`${environment} ${instanceId}`}>
          <th scope="row" className={ui.mono}>
            {instanceId}
          </th>
          <td>{environment}</td>
          <td>{sdkVersion ?? '–'}</td>
          <td>{clientIp ?? '–'}</td>
          <td className={ui.short}>{ago(lastSeen)}</td>
        </tr>
      ))}
    </Table>
  )
}

function Flags({ flags }: { flags: ApplicationDetails['seenToggles'] }) {
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  return (
    <section aria-labelledby="asks-for">
      <Title order={3} size="h5" id="asks-for">
        {own.asksFor}
      </Title>
      {flags.length === 0 && <Text c="dimmed">{own.asksForNothing}</Text>}
      <ul className={styles.flags}>
        {flags.map((flag) => (
          <li key={flag.name}>
            {'notFound' in flag ? (
              <>
                {flag.name}{' '}
                <Text component="span" size="sm" c="dimmed">
                  {own.unknownFlag}
                </Text>
              </>
            ) : (
              <Link
                to="/projects/$project/features/$feature"
                params={{ project: flag.project, feature: flag.name }}
                className={ui.link ?? ''}
              >
                {flag.name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
