import type { ProjectEnvironment } from '@burgee/protocol/environment'
import { Badge, Switch, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { addProjectEnvironment, fetchProjectEnvironments, removeProjectEnvironment } from '../api/project-settings.ts'
import { ENVIRONMENT_TEXTS } from '../environments/texts.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { GuardCell } from './guard-cell.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const AFFECTED_QUERIES = ['project-environments', 'project', 'projects', 'environments', 'flags', 'flag']

/** Environments that a project can use. */
export function ProjectEnvironments({ project }: { project: string }) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { environments: general } = useCatalogue(ENVIRONMENT_TEXTS)
  const answer = useQuery({
    queryKey: ['project-environments', project],
    queryFn: () => fetchProjectEnvironments(project),
  })
  return (
    <>
      <Text c="dimmed" mb="xs">
        {own.environmentsIntro}
      </Text>
      <LinkButton to="/projects/$project/compare" params={{ project }} mb="md">
        {general.compareAll}
      </LinkButton>
      <Loaded answer={answer}>
        {(environments) => <EnvironmentTable project={project} environments={environments} />}
      </Loaded>
    </>
  )
}

interface Props {
  readonly project: string
  readonly environments: readonly ProjectEnvironment[]
}

function EnvironmentTable({ project, environments }: Props) {
  const t = useTexts()
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { environments: general } = useCatalogue(ENVIRONMENT_TEXTS)
  const { number } = useFormat()
  const isLast = environments.filter(({ visible }) => visible).length === 1
  return (
    <Table
      label={own.environments}
      columns={[t.common.name, general.type, own.using, own.guard, { number: own.flagsOn }, { number: general.tokens }]}
    >
      {environments.map((one) => (
        <tr key={one.name}>
          <th scope="row">
            <EnvironmentChip name={one.name} />
          </th>
          <td>{general.types[one.type] ?? one.type}</td>
          <td>
            <UsageSwitch project={project} environment={one} isLast={isLast && one.visible} />
          </td>
          <td>{one.visible && <GuardCell project={project} environment={one.name} />}</td>
          <td className={ui.number}>{number(one.projectEnabledToggleCount)}</td>
          <td className={ui.number}>{number(one.projectApiTokenCount)}</td>
        </tr>
      ))}
    </Table>
  )
}

interface UsageSwitchProps {
  readonly project: string
  readonly environment: ProjectEnvironment
  readonly isLast: boolean
}

/**
 * Switch that determines whether a project uses an environment. Adding an environment can be undone, but removing one
 * deletes its configuration.
 */
function UsageSwitch({ project, environment, isLast }: UsageSwitchProps) {
  const t = useTexts()
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const may = usePermissionCheck()
  const act = useAction()
  const { name, visible, projectEnabledToggleCount: on, projectApiTokenCount: tokens } = environment
  if (!may('UPDATE_PROJECT', { project })) {
    return (
      <Badge variant={visible ? 'light' : 'default'} tt="none">
        {visible ? t.common.yes : t.common.no}
      </Badge>
    )
  }
  const add = () =>
    act({
      what: own.use(name),
      run: () => addProjectEnvironment(project, name),
      done: own.added(name),
      undo: { run: () => removeProjectEnvironment(project, name), done: own.addBack(name) },
      changes: AFFECTED_QUERIES,
    })
  const remove = () =>
    act({
      what: own.removeAction,
      ask: {
        title: own.removeTitle(name),
        text: own.removeText(on, tokens),
        action: own.removeAction,
        isDanger: true,
        ...(on > 0 ? { typed: name } : {}),
      },
      run: () => removeProjectEnvironment(project, name),
      done: own.removed(name),
      changes: AFFECTED_QUERIES,
    })
  return (
    <Tooltip label={own.last} disabled={!isLast}>
      <Switch
        aria-label={own.use(name)}
        checked={visible}
        disabled={isLast}
        onChange={() => void (visible ? remove() : add())}
      />
    </Tooltip>
  )
}
