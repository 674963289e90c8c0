import type { ConstraintInput } from '@burgee/protocol/admin'
import type { AdminSegment, SegmentInput } from '@burgee/protocol/segment'
import { Drawer, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PROJECTS } from '../api/queries.ts'
import { createSegment, replaceSegment } from '../api/segments.ts'
import { ConstraintList } from '../strategy/constraint-editor.tsx'
import { keyed } from '../strategy/draft.ts'
import { isComplete } from '../strategy/operators.ts'
import { useTexts } from '../text/texts.tsx'
import { tellDone } from '../ui/feedback.tsx'
import { Form } from '../ui/form-dialog.tsx'
import { SegmentReach } from './segment-reach.tsx'

interface Props {
  /** What is edited; undefined for a new one. */
  readonly segment: AdminSegment | undefined
  readonly close: () => void
}

const ALL = '*'

/** Adds or changes a segment, and says which flags that reaches. */
export function SegmentEditor({ segment, close }: Props) {
  const t = useTexts()
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      lockScroll={false}
      title={segment === undefined ? t.segments.create : t.segments.edit}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Fields segment={segment} close={close} />
    </Drawer>
  )
}

function Fields({ segment, close }: Props) {
  const t = useTexts()
  const { draft, put, input, isReady } = useDraft(segment)
  const save = useSave(segment, close)
  return (
    <Form save={save} submit={() => save.mutate(input)} isReady={isReady} close={close}>
      {segment !== undefined && <SegmentReach segment={segment} />}
      <TextInput
        label={t.common.name}
        value={draft.name}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t.common.description}
        value={draft.description}
        maxLength={5000}
        autosize
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      <ProjectChoice project={draft.project} put={(project) => put({ project })} />
      <ConstraintList constraints={draft.constraints} put={(constraints) => put({ constraints: [...constraints] })} />
    </Form>
  )
}

function useDraft(segment: AdminSegment | undefined) {
  const [draft, setDraft] = useState(() => ({
    name: segment?.name ?? '',
    description: segment?.description ?? '',
    project: segment?.project ?? ALL,
    constraints: ((segment?.constraints ?? []) as ConstraintInput[]).map(keyed),
  }))
  const constraints = draft.constraints.map(({ value }) => value)
  const input: SegmentInput = {
    name: draft.name.trim(),
    description: draft.description,
    project: draft.project === ALL ? null : draft.project,
    constraints,
  }
  const isReady = input.name !== '' && constraints.every(isComplete)
  return { draft, put: (change: Partial<typeof draft>) => setDraft({ ...draft, ...change }), input, isReady }
}

function useSave(segment: AdminSegment | undefined, close: () => void) {
  const t = useTexts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: SegmentInput): Promise<void> => {
      if (segment === undefined) await createSegment(body)
      else await replaceSegment(segment.id, body)
    },
    onSuccess: async (_data, { name }) => {
      await queries.invalidateQueries({ queryKey: ['segments'] })
      close()
      tellDone(t.segments.saved(name))
    },
  })
}

function ProjectChoice({ project, put }: { project: string; put: (project: string) => void }) {
  const t = useTexts()
  const { data = [] } = useQuery(PROJECTS)
  return (
    <Select
      label={t.common.project}
      data={[
        { value: ALL, label: t.segments.allProjects },
        ...data.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={project}
      onChange={(value) => put(value ?? ALL)}
    />
  )
}
