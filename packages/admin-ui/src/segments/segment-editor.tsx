import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { AdminSegment, SegmentInput } from '@burgee/protocol/targeting/segment'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { EnvironmentRef } from '../api/change-requests.ts'
import { findLastEvent } from '../api/events.ts'
import { ApiError, type WithEtag } from '../api/http.ts'
import { PROJECTS } from '../api/queries.ts'
import * as api from '../api/segments.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { findDifferences } from '../diff/diff.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { PROPOSAL_TEXTS } from '../proposals/texts.ts'
import { usePropose } from '../proposals/use-propose.ts'
import { EnvironmentBanner } from '../shell/environment/environment-banner.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { ConstraintList } from '../strategy/constraint-editor.tsx'
import { isComplete } from '../strategy/operators.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { type Keyed, withKey } from '../ui/form/keyed-list.ts'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import { AffectedFlags } from './affected-flags.tsx'
import { SEGMENT_TEXTS } from './texts.ts'
import { useConfirmSegment } from './use-confirm-segment.ts'
import { useSegmentDraft } from './use-segment-draft.ts'

interface Props {
  /** Id of the edited segment; undefined for a new segment. */
  readonly id: number | undefined
  readonly close: () => void
}

const ALL = '*'

/** Panel that creates or edits a segment, shows the affected flags and reports concurrent changes. */
export function SegmentEditor({ id, close }: Props) {
  const t = useTexts(SEGMENT_TEXTS)
  return (
    <SidePanel title={id === undefined ? t.segments.create : t.segments.edit} close={close}>
      <EditorLoader of={id === undefined ? undefined : ['segment', id]} read={() => api.fetchSegment(id ?? 0)}>
        {(opened) => <Fields opened={opened} close={close} />}
      </EditorLoader>
    </SidePanel>
  )
}

interface FieldsProps {
  readonly opened: WithEtag<AdminSegment> | undefined
  readonly close: () => void
}

function Fields({ opened, close }: FieldsProps) {
  const t = useTexts()
  const [draft, setDraft] = useState(() => toDraft(opened?.value))
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const proposals = useCatalogue(PROPOSAL_TEXTS)
  const draftPlace = useSegmentDraft(opened?.value.id)
  const { save, conflict, take } = useSave({ opened, close, findDraft: draftPlace.find }, (theirs) =>
    setDraft(toDraft(theirs)),
  )
  const question = useConfirmSegment()
  const choices = useProjectChoices(opened === undefined ? 'CREATE_SEGMENT' : 'UPDATE_SEGMENT')
  const project = draft.project ?? choices[0]?.value
  const mine = toInput({ ...draft, project })
  const isReady = project !== undefined && mine.name !== '' && mine.constraints.every(isComplete)
  const confirm = async (): Promise<boolean> => {
    // A proposal has no effect yet.
    if (opened === undefined || draftPlace.place !== undefined) return true
    const { id, name } = opened.value
    const { constraints } = toInput(toDraft(conflict?.theirs ?? opened.value))
    const isEmptied = constraints.length > 0 && mine.constraints.length === 0
    return question({ id, name, isOther: findDifferences(constraints, mine.constraints).length > 0, isEmptied })
  }
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="segment"
        event={conflict.event}
        theirs={{ body: toInput(toDraft(conflict.theirs)) }}
        mine={{ body: mine }}
      />
    ),
    take,
  }
  return (
    <Form
      save={save}
      isReady={isReady}
      close={close}
      confirm={confirm}
      draft={mine}
      submit={() => save.mutate(mine)}
      conflict={over}
      isLong
      {...(draftPlace.place === undefined ? {} : { action: proposals.action })}
    >
      {draftPlace.place !== undefined && (
        <EnvironmentBanner
          name={draftPlace.place.environment}
          guarded={proposals.sharedBanner(draftPlace.place.environment)}
        />
      )}
      {opened !== undefined && <AffectedFlags segment={opened.value} />}
      <NameField value={draft.name} maxLength={100} isFirst put={(name) => put({ name })} />
      <DescriptionField value={draft.description} maxLength={5000} put={(description) => put({ description })} />
      <Select
        label={t.common.project}
        data={choices}
        value={project ?? null}
        allowDeselect={false}
        onChange={(value) => value !== null && put({ project: value })}
      />
      <ConstraintList constraints={draft.constraints} put={(constraints) => put({ constraints })} />
    </Form>
  )
}

interface Draft {
  readonly name: string
  readonly description: string
  /** Selected project; until the user selects one, the first available project. */
  readonly project: string | undefined
  readonly constraints: readonly Keyed<ConstraintInput>[]
}

const toDraft = (segment: AdminSegment | undefined): Draft => ({
  name: segment?.name ?? '',
  description: segment?.description ?? '',
  project: segment === undefined ? undefined : (segment.project ?? ALL),
  constraints: ((segment?.constraints ?? []) as ConstraintInput[]).map(withKey),
})

const toInput = ({ name, description, project, constraints }: Draft): SegmentInput => ({
  name: name.trim(),
  description,
  project: project === undefined || project === ALL ? null : project,
  constraints: constraints.map(({ value }) => value),
})

interface SaveOptions extends FieldsProps {
  /** Returns the environment to whose draft the edit is added; null if the edit is saved directly. */
  readonly findDraft: () => Promise<EnvironmentRef | null>
}

function useSave({ opened, close, findDraft }: SaveOptions, begin: (theirs: AdminSegment) => void) {
  const t = useTexts(SEGMENT_TEXTS)
  const back = useRestoreSegment()
  // State before the save; undefined for a new segment.
  const before = useRef<AdminSegment>(undefined)
  const isProposed = useRef(false)
  const propose = usePropose()
  return useConditionalSave<AdminSegment, SegmentInput>({
    opened,
    begin,
    create: api.createSegment,
    replace: async (from, body, ifMatch) => {
      const draft = await findDraft()
      isProposed.current = draft !== null
      if (draft !== null) {
        const payload = { ...body, id: from.id, ...(body.constraints.length === 0 && { allowEmpty: true }) }
        await propose(draft, [{ action: 'updateSegment', payload }])
        return
      }
      await api.replaceSegment(from.id, body, ifMatch)
      before.current = from
    },
    read: ({ id }) => api.fetchSegment(id),
    bodyOf: (segment) => toInput(toDraft(segment)),
    lastChange: ({ id }) => findLastEvent({ type: 'segment-updated' }, (state) => state.id === id),
    changes: [['segments']],
    done: (saved) => {
      close()
      if (isProposed.current) return
      const was = before.current
      showSuccess(t.segments.saved(saved.name), was && { label: t.common.undo, run: () => void back(was, saved) })
    },
  })
}

/**
 * Returns a function that restores the previous segment if the saved segment is still current. Reports success, or the
 * reason for a failure, for example that strategies have started to use the segment.
 */
function useRestoreSegment(): (before: AdminSegment, saved: SegmentInput) => Promise<void> {
  const t = useTexts(SEGMENT_TEXTS)
  const refetch = useRefetch()
  return async (before, saved) => {
    try {
      const { value, etag } = await api.fetchSegment(before.id)
      if (findDifferences(saved, toInput(toDraft(value))).length > 0) throw new ApiError(412, 'changed since')
      await api.replaceSegment(before.id, toInput(toDraft(before)), etag)
      await refetch(['segments'], ['events'])
      showSuccess(t.segments.asBefore(before.name))
    } catch (error) {
      showFailure(t, t.common.undo, error)
    }
  }
}

/** Returns the projects to which the user may assign a segment. */
function useProjectChoices(permission: string): readonly { readonly value: string; readonly label: string }[] {
  const t = useTexts(SEGMENT_TEXTS)
  const may = usePermissionCheck()
  const { data = [] } = useQuery(PROJECTS)
  return [
    ...(may(permission, { project: null }) ? [{ value: ALL, label: t.segments.allProjects }] : []),
    ...data.filter(({ id }) => may(permission, { project: id })).map(({ id, name }) => ({ value: id, label: name })),
  ]
}
