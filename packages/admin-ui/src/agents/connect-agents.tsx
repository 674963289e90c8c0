import { Stack, Text } from '@mantine/core'
import { BASE_PATH } from '../api/http.ts'
import { useCatalogue } from '../text/texts.tsx'
import { CodeBlock } from '../ui/page/code-block.tsx'
import { Section } from '../ui/page/section.tsx'
import { AGENT_TEXTS } from './texts.ts'

/** Returns, for each agent program, the command or configuration that connects it to this server. */
function listLines(url: string) {
  const headers = { Authorization: 'Bearer TOKEN' }
  return {
    claude: `claude mcp add --transport http burgee ${url} --header "Authorization: Bearer TOKEN"`,
    cursor: JSON.stringify({ mcpServers: { burgee: { url, headers } } }),
    vscode: `code --add-mcp '${JSON.stringify({ name: 'burgee', type: 'http', url, headers })}'`,
    codex: `BURGEE_TOKEN=TOKEN codex mcp add burgee --url ${url} --bearer-token-env-var BURGEE_TOKEN`,
  }
}

const CLIENTS = ['claude', 'cursor', 'vscode', 'codex'] as const

/** Section that shows how to connect each agent program to this server. */
export function ConnectAgents() {
  const t = useCatalogue(AGENT_TEXTS)
  const lines = listLines(`${location.origin}${BASE_PATH}/mcp`)
  return (
    <Section title={t.connect}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.connectText}
        </Text>
        {CLIENTS.map((client) => (
          <div key={client}>
            <Text size="sm" fw={600} mb={4}>
              {t.clients[client]}
            </Text>
            <CodeBlock code={lines[client]} label={t.clients[client]} isWhole />
          </div>
        ))}
      </Stack>
    </Section>
  )
}
