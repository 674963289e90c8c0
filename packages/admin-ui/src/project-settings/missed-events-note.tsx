import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { INTEGRATIONS } from '../integrations/integration-calls.ts'
import { getIntegrationName, isForAllProjects } from '../integrations/integration-name.ts'
import { useCatalogue } from '../text/texts.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

/**
 * Warning about integrations that will stop receiving a project's events when the project becomes private. Renders
 * nothing if there are no such integrations.
 */
export function MissedEventsNote({ project }: { project: string }) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { data } = useQuery({ ...INTEGRATIONS, refetchInterval: false })
  const losing = data?.addons.filter((one) => one.enabled && isForAllProjects(one) && !one.projects.includes(project))
  if (data === undefined || losing === undefined || losing.length === 0) return null
  return (
    <Alert
      color="yellow"
      role="status"
      title={own.unheard(losing.map((one) => getIntegrationName(one, data.providers)).join(', '))}
    >
      {own.unheardText}
    </Alert>
  )
}
