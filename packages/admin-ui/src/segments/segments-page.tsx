import type { AdminSegment } from '@burgee/protocol/targeting/segment'
import { Button, Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { PROJECTS, SEGMENTS } from '../api/queries.ts'
import { removeSegment } from '../api/segments.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { ProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { describeConstraint } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { UsagesButton, UsagesDialog } from '../usages/usages-dialog.tsx'
import { SegmentEditor } from './segment-editor.tsx'
import { SEGMENT_TEXTS } from './texts.ts'

const route = getRouteApi('/app/segments')

/** Page of all segments with their constraints and usages. */
export function SegmentsPage() {
  const t = useTexts(SEGMENT_TEXTS)
  const { edit, uses, project } = route.useSearch()
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const answer = useQuery(SEGMENTS)
  const go = (search: EditSearch): void =>
    void navigate({ to: '/segments', search: { ...search, ...(project === undefined ? {} : { project }) } })
  const { title, intro, empty, emptyText } = t.segments
  const withId = (text: string | undefined) => answer.data?.find(({ id }) => String(id) === text)
  const edited = withId(edit)
  const used = withId(uses)
  const close = (): void => go({})
  const isOpen =
    edit === 'new' ? may('CREATE_SEGMENT') : edited !== undefined && may('UPDATE_SEGMENT', { project: edited.project })
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        filters={<ProjectFilter project={project} />}
        wanted={{ name: edit ?? uses, isThere: edited !== undefined || used !== undefined, forget: close }}
        create={may('CREATE_SEGMENT') && <Button onClick={() => go({ edit: 'new' })}>{t.segments.create}</Button>}
        empty={{ title: empty, text: emptyText }}
      >
        {(segments) => <SegmentTable segments={segments.filter((one) => isUsableIn(one, project))} go={go} />}
      </ListPage>
      {isOpen && <SegmentEditor key={edit} id={edited?.id} close={close} />}
      {used && <UsagesDialog used={{ kind: 'segments', id: used.id }} name={used.name} close={close} />}
    </>
  )
}

/** Returns true if flags of the project can use the segment. */
const isUsableIn = (segment: AdminSegment, project: string | undefined): boolean =>
  project === undefined || !segment.project || segment.project === project

function ProjectFilter({ project }: { project: string | undefined }) {
  const t = useTexts(SEGMENT_TEXTS)
  const navigate = useNavigate()
  const { data: projects = [] } = useQuery(PROJECTS)
  if (projects.length < 2) return null
  return (
    <Select
      aria-label={t.segments.usableIn}
      data={[
        { value: '', label: t.segments.anyProject },
        ...projects.map(({ id, name }) => ({ value: id, label: t.segments.usableInProject(name) })),
      ]}
      value={project ?? ''}
      searchable
      maw={320}
      mb="md"
      onChange={(next) => void navigate({ to: '/segments', search: next ? { project: next } : {} })}
    />
  )
}

interface TableProps {
  readonly segments: readonly AdminSegment[]
  readonly go: (search: EditSearch) => void
}

function SegmentTable({ segments, go }: TableProps) {
  const t = useTexts(SEGMENT_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const { name, project, actions } = t.common
  return (
    <Table label={t.segments.title} columns={[name, words.strategy.constraints, project, t.segments.usedBy, actions]}>
      {segments.map((segment) => (
        <tr key={segment.id}>
          <th scope="row">
            {segment.name}
            {segment.description && (
              <Text size="sm" c="dimmed">
                {segment.description}
              </Text>
            )}
          </th>
          <td>
            {segment.constraints.length === 0
              ? t.segments.everybody
              : segment.constraints.map((one) => describeConstraint(words, one)).join(` ${words.sentence.and} `)}
          </td>
          <td>{segment.project ? <ProjectName id={segment.project} /> : t.segments.allProjects}</td>
          <td className={ui.short}>
            <UsagesButton
              count={segment.usedInFeatures}
              name={segment.name}
              show={() => go({ uses: String(segment.id) })}
            />
          </td>
          <td>
            <RowActions segment={segment} go={go} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function RowActions({ segment, go }: { segment: AdminSegment; go: TableProps['go'] }) {
  const t = useTexts(SEGMENT_TEXTS)
  const may = usePermissionCheck()
  const act = useAction()
  const { id, name, project, usedInFeatures } = segment
  const { removeTitle, removeText, removed } = t.segments
  const remove = () => {
    // Show the usages, because they are more helpful than a disabled button.
    if (usedInFeatures > 0) return go({ uses: String(id) })
    return act({
      what: t.segments.remove(name),
      ask: { title: removeTitle(name), text: removeText, action: t.common.delete, isDanger: true },
      run: () => removeSegment(id),
      done: removed(name),
      changes: ['segments'],
    })
  }
  return (
    <Group gap="xs" wrap="nowrap">
      {may('UPDATE_SEGMENT', { project }) && (
        <RowButton label={`${t.common.edit} ${name}`} text={t.common.edit} act={() => go({ edit: String(id) })} />
      )}
      {may('DELETE_SEGMENT', { project }) && (
        <RowButton label={t.segments.remove(name)} text={t.common.delete} isDanger act={remove} />
      )}
    </Group>
  )
}
