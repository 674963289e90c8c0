import type { AgentAccess, AgentLimits } from '@burgee/protocol/administration/agent'
import { Box, Group, Text } from '@mantine/core'
import { setAgentLimit } from '../api/agents.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { LightSelect } from '../ui/form/light-select.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import { AGENT_TEXTS } from './texts.ts'

const LEVELS: readonly AgentAccess[] = ['read', 'propose', 'write']

/** Table of what agents may do in each environment. Administrators can change these limits. */
export function AgentLimitTable({ limits, writesPerHour }: AgentLimits) {
  const t = useCatalogue(AGENT_TEXTS)
  const { number } = useFormat()
  const { environment: heading } = useTexts().common
  const act = useAction()
  const isAdmin = usePermissionCheck()('ADMIN')
  const choices = LEVELS.map((value) => ({ value, label: t.access[value] }))
  const change = (environment: string, before: AgentAccess, access: AgentAccess) =>
    act({
      what: t.limitOf(environment),
      run: () => setAgentLimit(environment, access),
      done: t.saved(environment),
      undo: { run: () => setAgentLimit(environment, before), done: t.restored(environment) },
      changes: ['agent-limits'],
    })
  return (
    <Section title={t.limits}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.limitsText(number(writesPerHour))}
      </Text>
      <Table label={t.limits} columns={[heading, t.accessHeading]}>
        {limits.map(({ environment, access, isDefault }) => (
          <tr key={environment}>
            <th scope="row">
              <EnvironmentChip name={environment} />
            </th>
            <td>
              <Group gap="sm">
                {isAdmin ? (
                  <Box w={220} maw="100%">
                    <LightSelect
                      label={t.limitOf(environment)}
                      choices={choices}
                      value={access}
                      choose={(value) => void change(environment, access, value as AgentAccess)}
                    />
                  </Box>
                ) : (
                  t.access[access]
                )}
                {isDefault && (
                  <Text span size="sm" c="dimmed">
                    {t.byDefault}
                  </Text>
                )}
              </Group>
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}
