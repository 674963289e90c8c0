import type { Project } from '@burgee/protocol/project'
import { Badge, Button, Group, Progress, Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { removeProject, setProjectArchived } from '../api/project-settings.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { LinkButton } from '../ui/page/link-button.tsx'
import ui from '../ui/ui.module.css'
import styles from './projects.module.css'
import { PROJECT_TEXTS } from './texts.ts'

const GOOD_PERCENT = 75
const FAIR_PERCENT = 50
const MAX_ENVIRONMENTS = 4

/** Card of a project with its figures and links. */
export function ProjectCard({ project }: { project: Project }) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const { date } = useFormat()
  const { id, name, description, environments, archivedAt } = project
  const shown = environments.slice(0, MAX_ENVIRONMENTS)
  return (
    <li className={`${ui.card} ${styles.card}`}>
      <div>
        <h2 className={styles.name}>
          {archivedAt === null ? (
            <Link to="/projects/$project" params={{ project: id }} className={ui.link ?? ''}>
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        <Text size="sm" c="dimmed" className={ui.mono ?? ''}>
          {id}
        </Text>
      </div>
      {description && (
        <Text size="sm" lineClamp={2}>
          {description}
        </Text>
      )}
      {archivedAt === null ? <Figures project={project} /> : <Text size="sm">{own.archivedAt(date(archivedAt))}</Text>}
      <Group gap={6} role="group" aria-label={own.environments}>
        {shown.map((environment) => (
          <Badge key={environment} variant="default" tt="none">
            {environment}
          </Badge>
        ))}
        {environments.length > shown.length && (
          <Text size="sm" c="dimmed">
            +{environments.length - shown.length}
          </Text>
        )}
        {environments.length === 0 && (
          <Text size="sm" c="dimmed">
            {own.noEnvironments}
          </Text>
        )}
      </Group>
      <Actions project={project} />
    </li>
  )
}

function Figures({ project: { id, health, featureCount, memberCount } }: { project: Project }) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const { number } = useFormat()
  const color = health >= GOOD_PERCENT ? 'teal' : health >= FAIR_PERCENT ? 'yellow' : 'red'
  return (
    <>
      <Tooltip label={own.healthHint} multiline maw={280}>
        <div>
          <Group justify="space-between">
            <Link to="/projects/$project/insights" params={{ project: id }} className={`${ui.link} ${styles.health}`}>
              {own.health}
            </Link>
            <Text size="sm" fw={600}>
              {number(health)} %
            </Text>
          </Group>
          <Progress value={health} color={color} size="sm" aria-label={own.health} />
        </div>
      </Tooltip>
      <Text size="sm">
        {own.flags(featureCount)} · {own.members(memberCount)}
      </Text>
    </>
  )
}

function Actions({ project: { id, name, archivedAt } }: { project: Project }) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const may = usePermissionCheck()
  const act = useAction()
  const settings = { to: '/projects/$project/settings', params: { project: id } } as const
  if (archivedAt === null) {
    return (
      <Group className={styles.actions ?? ''}>
        <LinkButton {...settings} aria-label={own.settingsOf(name)}>
          {own.settings}
        </LinkButton>
      </Group>
    )
  }
  if (!may('DELETE_PROJECT', { project: id })) return null
  const revive = () =>
    act({
      what: own.reviveLabel(name),
      run: () => setProjectArchived(id, false),
      done: own.revived(name),
      undo: { run: () => setProjectArchived(id, true), done: own.archiveDone(name) },
      changes: ['projects', 'project'],
    })
  const remove = () =>
    act({
      what: own.deleteLabel(name),
      ask: { title: own.deleteTitle(name), text: own.deleteText, action: own.delete, isDanger: true, typed: id },
      run: () => removeProject(id),
      done: own.deleted(name),
      changes: ['projects', 'tokens', 'segments'],
    })
  return (
    <Group className={styles.actions ?? ''}>
      <Button size="compact-sm" variant="default" aria-label={own.reviveLabel(name)} onClick={() => void revive()}>
        {own.revive}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={own.deleteLabel(name)}
        onClick={() => void remove()}
      >
        {own.delete}
      </Button>
    </Group>
  )
}
