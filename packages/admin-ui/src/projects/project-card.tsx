import type { Project } from '@burgee/protocol/project'
import { Button, Group, Text } from '@mantine/core'
import { Link, linkOptions } from '@tanstack/react-router'
import { removeProject, setProjectArchived } from '../api/project-settings.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { RowMenu } from '../ui/page/row-menu.tsx'
import ui from '../ui/ui.module.css'
import { ProjectStar } from './project-star.tsx'
import styles from './projects.module.css'
import { PROJECT_TEXTS } from './texts.ts'

const MAX_ENVIRONMENTS = 4

/** Card of a project with its figures, environments and last change. */
export function ProjectCard({ project }: { project: Project }) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const { date } = useFormat()
  const { id, name, description, environments, archivedAt } = project
  const shown = environments.slice(0, MAX_ENVIRONMENTS)
  return (
    <li className={`${ui.card} ${styles.card}`}>
      <div className={styles.head}>
        <h2 className={styles.name}>
          {archivedAt === null ? (
            <Link to="/projects/$project" params={{ project: id }} className={ui.link ?? ''}>
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        {archivedAt === null && <ProjectStar project={project} />}
        {archivedAt === null && (
          <RowMenu
            label={own.actionsOf(name)}
            acts={[
              {
                label: own.settingsOf(name),
                text: own.settings,
                link: linkOptions({ to: '/projects/$project/settings', params: { project: id } }),
              },
            ]}
          />
        )}
      </div>
      {description && (
        <Text size="sm" lineClamp={2}>
          {description}
        </Text>
      )}
      {archivedAt === null ? <Figures project={project} /> : <Text size="sm">{own.archivedAt(date(archivedAt))}</Text>}
      <Group gap={6} role="group" aria-label={own.environments}>
        {shown.map((environment) => (
          <EnvironmentChip key={environment} name={environment} />
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

function Figures({ project: { id, health, featureCount, memberCount, updatedAt } }: { project: Project }) {
  const t = useTexts()
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const { number, ago, time } = useFormat()
  return (
    <>
      <dl className={styles.figures}>
        <div title={own.healthHint}>
          <dt>
            <Link to="/projects/$project/insights" params={{ project: id }} className={ui.link ?? ''}>
              {own.health}
            </Link>
          </dt>
          <dd>{featureCount === 0 ? '–' : t.common.percent(number(health))}</dd>
        </div>
        <div>
          <dt>{t.nav.flags}</dt>
          <dd>{number(featureCount)}</dd>
        </div>
      </dl>
      <Text size="sm" c="dimmed">
        {own.members(memberCount)} · <span title={time(updatedAt)}>{own.lastChange(ago(updatedAt))}</span>
      </Text>
    </>
  )
}

function Actions({ project: { id, name, archivedAt } }: { project: Project }) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const may = usePermissionCheck()
  const act = useAction()
  if (archivedAt === null) return null
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
