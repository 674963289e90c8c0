import type { AdminSegment } from '@burgee/protocol/segment'
import { Button, Group, Skeleton, Text, Tooltip } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SEGMENTS } from '../api/queries.ts'
import { removeSegment } from '../api/segments.ts'
import { constraintText } from '../strategy/sentence.ts'
import { useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { tellDone, tellFailed } from '../ui/feedback.tsx'
import { Page } from '../ui/page.tsx'
import { Notice, ProblemNotice } from '../ui/problem.tsx'
import { useMay } from '../ui/session.tsx'
import ui from '../ui/ui.module.css'
import type { SegmentSearch } from './search.ts'
import { SegmentEditor } from './segment-editor.tsx'

const route = getRouteApi('/app/segments')

/** All segments: what they say, and who uses them. */
export function SegmentsPage() {
  const t = useTexts()
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const may = useMay()
  const { data, error, refetch } = useQuery(SEGMENTS)
  const go = (search: SegmentSearch): void => void navigate({ to: '/segments', search })
  const create = may('CREATE_SEGMENT') && <Button onClick={() => go({ edit: 'new' })}>{t.segments.create}</Button>
  const edited = data?.find(({ id }) => String(id) === edit)
  return (
    <Page
      title={t.segments.title}
      actions={create}
      intro={
        <Text c="dimmed" mb="md">
          {t.segments.intro}
        </Text>
      }
    >
      {error !== null && data === undefined ? (
        <ProblemNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={240} role="status" aria-label={t.common.loading} />
      ) : data.length === 0 ? (
        <Notice title={t.segments.empty} action={create}>
          {t.segments.emptyText}
        </Notice>
      ) : (
        <SegmentTable segments={data} edit={(id) => go({ edit: String(id) })} />
      )}
      {(edited !== undefined || (edit === 'new' && data !== undefined)) && (
        <SegmentEditor key={edit} segment={edited} close={() => go({})} />
      )}
    </Page>
  )
}

function SegmentTable({ segments, edit }: { segments: readonly AdminSegment[]; edit: (id: number) => void }) {
  const t = useTexts()
  return (
    <div className={`${ui.card} ${ui.scroller}`}>
      <table className={ui.table} aria-label={t.segments.title}>
        <thead>
          <tr>
            <th scope="col">{t.common.name}</th>
            <th scope="col">{t.strategy.constraints}</th>
            <th scope="col">{t.common.project}</th>
            <th scope="col">{t.segments.usedBy}</th>
            <th scope="col">{t.common.actions}</th>
          </tr>
        </thead>
        <tbody>
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
              <td>
                {segment.usedInFeatures === 0 ? t.segments.unused : t.segments.usedByFlags(segment.usedInFeatures)}
              </td>
              <td>
                <RowActions segment={segment} edit={edit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RowActions({ segment, edit }: { segment: AdminSegment; edit: (id: number) => void }) {
  const t = useTexts()
  const may = useMay()
  const ask = useConfirm()
  const queries = useQueryClient()
  const { id, name, usedInFeatures } = segment
  const remove = async (): Promise<void> => {
    const { removeTitle, removeText } = t.segments
    if (!(await ask({ title: removeTitle(name), text: removeText, action: t.common.remove, isDanger: true }))) return
    try {
      await removeSegment(id)
      await queries.invalidateQueries({ queryKey: ['segments'] })
      tellDone(t.segments.removed(name))
    } catch (error) {
      tellFailed(t, t.segments.remove(name), error)
    }
  }
  return (
    <Group gap="xs" wrap="nowrap">
      {may('UPDATE_SEGMENT') && (
        <Button size="compact-sm" variant="default" aria-label={`${t.common.edit} ${name}`} onClick={() => edit(id)}>
          {t.common.edit}
        </Button>
      )}
      {may('DELETE_SEGMENT') && (
        <Tooltip label={t.segments.inUse(usedInFeatures)} disabled={usedInFeatures === 0}>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={t.segments.remove(name)}
            disabled={usedInFeatures > 0}
            onClick={() => void remove()}
          >
            {t.common.remove}
          </Button>
        </Tooltip>
      )}
    </Group>
  )
}
