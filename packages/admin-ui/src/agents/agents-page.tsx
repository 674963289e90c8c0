import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AGENT_LIMITS, AGENT_WRITES } from '../api/agents.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { AgentLimitTable } from './agent-limit-table.tsx'
import { AgentWriteTable } from './agent-write-table.tsx'
import { ConnectAgents } from './connect-agents.tsx'
import { AGENT_TEXTS } from './texts.ts'

/** Page about agents: the configuration with which they connect, their limits, and their latest changes. */
export function AgentsPage() {
  const t = useCatalogue(AGENT_TEXTS)
  const limits = useQuery(AGENT_LIMITS)
  const writes = useQuery(AGENT_WRITES)
  return (
    <Page
      title={t.title}
      intro={
        <Text c="dimmed" mb="md">
          {t.intro}
        </Text>
      }
    >
      <Stack gap="md">
        <ConnectAgents />
        <Loaded answer={limits}>{(answer) => <AgentLimitTable {...answer} />}</Loaded>
        <Loaded answer={writes}>{(answer) => <AgentWriteTable {...answer} />}</Loaded>
      </Stack>
    </Page>
  )
}
