import type { ApplicationOverview } from '@burgee/protocol/application'
import { Group, List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { readLastProject } from '../shell/project/last-project.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Section } from '../ui/page/section.tsx'
import { APPLICATION_TEXTS } from './texts.ts'

interface Issue {
  readonly text: string
  readonly action?: ReactNode
}

/** Possible issues of an application with suggested fixes. */
export function ApplicationIssues({ overview }: { overview: ApplicationOverview }) {
  const t = useCatalogue(APPLICATION_TEXTS)
  const issues = [...useMissingResourceIssues(overview), ...useSdkIssues(overview), ...useStrategyIssues(overview)]
  return (
    <Section title={t.lookAt}>
      {issues.length === 0 ? (
        <Text c="var(--good)">{t.allWell}</Text>
      ) : (
        <List spacing="xs" listStyleType="none">
          {issues.map(({ text, action }) => (
            <List.Item key={text}>
              <Group gap="sm">
                <span>{text}</span>
                {action}
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  )
}

function useMissingResourceIssues({ environments, projects }: ApplicationOverview): Issue[] {
  const t = useCatalogue(APPLICATION_TEXTS)
  const may = usePermissionCheck()
  const [only] = projects.length === 1 ? projects : []
  const project = only ?? readLastProject()
  const requested = environments.flatMap(({ name, issues }) => issues.missingFeatures.map((flag) => ({ flag, name })))
  return [...Map.groupBy(requested, ({ flag }) => flag)].map(([flag, places]) => ({
    text: t.missing(flag, places.map(({ name }) => name).join(', ')),
    action: may('CREATE_FEATURE', { project }) && (
      <LinkButton to="/projects/$project" params={{ project }} search={{ create: true, named: flag }}>
        {t.create}
      </LinkButton>
    ),
  }))
}

function useSdkIssues({ environments }: ApplicationOverview): Issue[] {
  const t = useCatalogue(APPLICATION_TEXTS)
  const old = new Map(
    environments.flatMap(({ issues }) => issues.sdksWithoutParents.map((one) => [one.sdkVersion, one.knownFrom])),
  )
  const behind = new Set(environments.flatMap(({ issues }) => issues.outdatedSdks).filter((sdk) => !old.has(sdk)))
  return [
    ...[...old].map(([sdk, from]) => ({ text: t.oldSdk(sdk, from) })),
    ...[...behind].map((sdk) => ({ text: t.behind(sdk) })),
  ]
}

function useStrategyIssues({ issues }: ApplicationOverview): Issue[] {
  const t = useCatalogue(APPLICATION_TEXTS)
  return issues.missingStrategies.map((name) => ({
    text: t.unknownStrategy(name),
    action: <LinkButton to="/strategy-types">{t.toStrategies}</LinkButton>,
  }))
}
