import type { AdminSegment } from '@burgee/protocol/segment'
import { Button, Group, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SEGMENTS } from '../api/queries.ts'
import { removeSegment } from '../api/segments.ts'
import { constraintText } from '../strategy/sentence.ts'
import { useTexts } from '../text/texts.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { RowButton } from '../ui/row-button.tsx'
import { useMay } from '../ui/session.tsx'
import { Table } from '../ui/table.tsx'
import { useAct } from '../ui/use-act.ts'
import type { SegmentSearch } from './search.ts'
import { SegmentEditor } from './segment-editor.tsx'

const route = getRouteApi('/app/segments')

/** All segments: what they say, and who uses them. */
export function SegmentsPage() {
  const t = useTexts()
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const may = useMay()
  const answer = useQuery(SEGMENTS)
  const go = (search: SegmentSearch): void => void navigate({ to: '/segments', search })
  const { title, intro, empty, emptyText } = t.segments
  const edited = answer.data?.find(({ id }) => String(id) === edit)
  const isOpen = edit === 'new' ? may('CREATE_SEGMENT') : edited !== undefined && may('UPDATE_SEGMENT')
  return (
    <>
      <ListPage
        {...{ title, intro, answer }}
        create={may('CREATE_SEGMENT') && <Button onClick={() => go({ edit: 'new' })}>{t.segments.create}</Button>}
        empty={{ title: empty, text: emptyText }}
      >
        {(segments) => <SegmentTable segments={segments} edit={(id) => go({ edit: String(id) })} />}
      </ListPage>
      {isOpen && <SegmentEditor key={edit} segment={edited} close={() => go({})} />}
    </>
  )
}

function SegmentTable({ segments, edit }: { segments: readonly AdminSegment[]; edit: (id: number) => void }) {
  const t = useTexts()
  const { name, project, actions } = t.common
  return (
    <Table label={t.segments.title} columns={[name, t.strategy.constraints, project, t.segments.usedBy, actions]}>
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
              : segment.constraints.map((one) => constraintText(t, one)).join(` ${t.sentence.and} `)}
          </td>
          <td>{segment.project ?? t.segments.allProjects}</td>
          <td>{segment.usedInFeatures === 0 ? t.segments.unused : t.segments.usedByFlags(segment.usedInFeatures)}</td>
          <td>
            <RowActions segment={segment} edit={edit} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function RowActions({ segment, edit }: { segment: AdminSegment; edit: (id: number) => void }) {
  const t = useTexts()
  const may = useMay()
  const act = useAct()
  const { id, name, usedInFeatures } = segment
  const { removeTitle, removeText, removed } = t.segments
  const remove = () =>
    act({
      what: t.segments.remove(name),
      ask: { title: removeTitle(name), text: removeText, action: t.common.remove, isDanger: true },
      run: () => removeSegment(id),
      done: removed(name),
      changes: ['segments'],
    })
  return (
    <Group gap="xs" wrap="nowrap">
      {may('UPDATE_SEGMENT') && (
        <RowButton label={`${t.common.edit} ${name}`} text={t.common.edit} act={() => edit(id)} />
      )}
      {may('DELETE_SEGMENT') && (
        <Tooltip label={t.segments.inUse(usedInFeatures)} disabled={usedInFeatures === 0}>
          <span>
            <RowButton
              label={t.segments.remove(name)}
              text={t.common.remove}
              isDanger
              disabled={usedInFeatures > 0}
              act={remove}
            />
          </span>
        </Tooltip>
      )}
    </Group>
  )
}
