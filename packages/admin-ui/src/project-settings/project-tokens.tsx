import type { ApiToken } from '@burgee/protocol/access'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchProjectTokens } from '../api/tokens.ts'
import { useCatalogue } from '../text/texts.tsx'
import { TokenTable } from '../tokens/api-token-table.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Section } from '../ui/page/section.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

/** API tokens that give access to a project: its own tokens and, separately, tokens for all projects. */
export function ProjectTokens({ project }: { project: string }) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const answer = useQuery({ queryKey: ['project-tokens', project], queryFn: () => fetchProjectTokens(project) })
  return (
    <Loaded answer={answer}>
      {(tokens) => {
        const all = tokens.filter(isForAllProjects)
        const named = tokens.filter((token) => !isForAllProjects(token))
        return (
          <Stack>
            <TokenSection title={own.tokensOwn} text={own.tokensOwnText} tokens={named} project={project} />
            <TokenSection title={own.tokensAll} text={own.tokensAllText} tokens={all} project={project} />
          </Stack>
        )
      }}
    </Loaded>
  )
}

interface TokenSectionProps {
  readonly title: string
  readonly text: string
  readonly tokens: readonly ApiToken[]
  readonly project: string
}

function TokenSection({ title, text, tokens, project }: TokenSectionProps) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  return (
    <Section title={title}>
      <Text c="dimmed" mb="md">
        {text}
      </Text>
      {tokens.length === 0 ? (
        <Text>{own.tokensNone}</Text>
      ) : (
        <TokenTable tokens={tokens} label={title} project={project} />
      )}
    </Section>
  )
}

function isForAllProjects({ projects }: ApiToken): boolean {
  return projects.includes('*')
}
