import type { ProjectOverview } from '@burgee/protocol/project'
import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { removeProject, setProjectArchived } from '../api/project-settings.ts'
import { PROJECT_TEXTS } from '../projects/texts.ts'
import { clearLastProject } from '../shell/project/last-project.ts'
import { useCatalogue } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { Section } from '../ui/page/section.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const DEFAULT = 'default'
const AFFECTED_QUERIES = ['projects', 'project']

/** Actions that archive, revive or delete a project. If an action is not possible, explains why. */
export function ArchiveProject({ overview }: { overview: ProjectOverview }) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { projects } = useCatalogue(PROJECT_TEXTS)
  const { id, archivedAt, featureTypeCounts, archivedFeatureCount } = overview
  const live = featureTypeCounts.reduce((sum, { count }) => sum + count, 0)
  const { archive, revive, remove } = useArchiveActions(overview)
  const inTheWay =
    id === DEFAULT
      ? projects.archiveDefault
      : live > 0
        ? projects.archiveBlocked(live)
        : archivedFeatureCount > 0
          ? projects.deleteBlocked(archivedFeatureCount)
          : undefined
  return (
    <Section title={own.lifecycle}>
      <Group>
        {archivedAt === null ? (
          <Button variant="default" disabled={id === DEFAULT || live > 0} onClick={() => void archive()}>
            {projects.archive}
          </Button>
        ) : (
          <Button variant="default" onClick={() => void revive()}>
            {projects.revive}
          </Button>
        )}
        <Button color="red" variant="light" disabled={inTheWay !== undefined} onClick={() => void remove()}>
          {projects.delete}
        </Button>
      </Group>
      {inTheWay !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {inTheWay}
        </Text>
      )}
    </Section>
  )
}

function useArchiveActions({ id, name }: ProjectOverview) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const act = useAction()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    clearLastProject(id)
    await navigate({ to: '/projects' })
  }
  const archive = () =>
    act({
      what: own.archive,
      ask: { title: own.archiveTitle(name), text: own.archiveText, action: own.archive },
      run: async () => {
        await setProjectArchived(id, true)
        await leave()
      },
      done: own.archiveDone(name),
      undo: { run: () => setProjectArchived(id, false), done: own.revived(name) },
      changes: AFFECTED_QUERIES,
    })
  const revive = () =>
    act({
      what: own.revive,
      run: () => setProjectArchived(id, false),
      done: own.revived(name),
      changes: AFFECTED_QUERIES,
    })
  const remove = () =>
    act({
      what: own.delete,
      ask: { title: own.deleteTitle(name), text: own.deleteText, action: own.delete, isDanger: true, typed: id },
      run: async () => {
        await removeProject(id)
        await leave()
      },
      done: own.deleted(name),
      changes: ['projects', 'tokens', 'segments'],
    })
  return { archive, revive, remove }
}
