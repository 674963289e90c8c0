import type { TokenConnection } from '@burgee/protocol/administration/token-connection'
import { Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { DefinitionList } from '../ui/page/definition-list.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import ui from '../ui/ui.module.css'
import styles from './connect.module.css'
import { CONNECT_TEXTS } from './texts.ts'

interface Props {
  readonly project: string
  readonly token: TokenConnection
  /** Time of the first request after the page began to wait. */
  readonly firstAt: string
}

/** Application that has just connected, with the first flag that it reported. */
export function Connected({ project, token: { caller, flags }, firstAt }: Props) {
  const t = useCatalogue(CONNECT_TEXTS)
  const { time } = useFormat()
  // the last caller may be an earlier one rather than the application that has just connected
  const isOwn = caller !== null && Date.parse(caller.seenAt) >= Date.parse(firstAt)
  const { appName = null, instanceId = null, sdkVersion = null } = isOwn ? caller : {}
  return (
    <Stack>
      <div className={styles.connected} role="status">
        <CircleCheck size={28} aria-hidden="true" />
        <Text fw={600}>{appName === null ? t.connectedNameless : t.connected(appName)}</Text>
      </div>
      <DefinitionList
        facts={[
          [t.sdk, <span key="sdk">{sdkVersion ?? t.saidNothing}</span>],
          [t.instance, <span key="instance">{instanceId ?? t.saidNothing}</span>],
          [t.firstSeen, time(firstAt)],
        ]}
      />
      <Flags flags={flags} project={project} />
      <Group>
        <LinkButton to="/projects/$project" params={{ project }}>
          {t.toFlags}
        </LinkButton>
      </Group>
    </Stack>
  )
}

function Flags({ project, flags }: { project: string; flags: TokenConnection['flags'] }) {
  const t = useCatalogue(CONNECT_TEXTS)
  const { number } = useFormat()
  const first = flags.find(({ exists }) => exists)
  const missing = flags.filter(({ exists }) => !exists)
  return (
    <div role="status">
      {first === undefined ? (
        <Text size="sm" c="dimmed">
          {t.noFlag}
        </Text>
      ) : (
        <Text>
          <strong>{t.firstFlag(first.name)}</strong> ({t.counted(number(first.yes), number(first.no))}).{' '}
          <Link
            to="/projects/$project/features/$feature"
            params={{ project: first.project ?? project, feature: first.name }}
            className={ui.link ?? ''}
          >
            {t.toFlag}
          </Link>
        </Text>
      )}
      {missing.map(({ name }) => (
        <Text key={name} size="sm" c="var(--warn)">
          {t.missing(name)}
        </Text>
      ))}
    </div>
  )
}
