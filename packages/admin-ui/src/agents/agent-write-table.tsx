import type { AgentWrite, AgentWrites } from '@burgee/protocol/administration/agent'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { FlagLink } from '../ui/page/flag-link.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { AGENT_TEXTS } from './texts.ts'

/** Latest changes by agents, grouped by token. */
export function AgentWriteTable({ writes }: AgentWrites) {
  const t = useCatalogue(AGENT_TEXTS)
  const all = (
    <Link to="/events" search={{ agents: 'only' }} className={ui.link ?? ''}>
      {t.all}
    </Link>
  )
  return (
    <Section title={t.writes} actions={all}>
      {writes.length === 0 ? (
        <Text c="dimmed">{t.none}</Text>
      ) : (
        <Table label={t.writes} isDense columns={[t.when, t.token, t.what, t.where, t.outcome, t.program]}>
          {writes.map((write) => (
            <WriteRow key={write.id} write={write} />
          ))}
        </Table>
      )}
    </Section>
  )
}

function WriteRow({ write }: { write: AgentWrite }) {
  const t = useCatalogue(AGENT_TEXTS)
  const { createdAt, user, token, tool, project, feature, environment, outcome, client, version } = write
  return (
    <tr>
      <td>
        <RelativeTime at={createdAt} />
      </td>
      <td>{[user, token ?? t.deletedToken].filter((part) => part !== null).join(' · ')}</td>
      <td>
        <code>{tool}</code>
      </td>
      <td>
        <FlagLink project={project} feature={feature} />{' '}
        {environment !== null && <EnvironmentChip name={environment} />}
      </td>
      <td>{t.outcomes[outcome]}</td>
      <td>
        {client} {version}
      </td>
    </tr>
  )
}
