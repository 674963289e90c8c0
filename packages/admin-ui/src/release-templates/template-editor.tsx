import {
  MAX_MILESTONES,
  type ReleaseTemplate,
  type ReleaseTemplateInput,
} from '@burgee/protocol/administration/release-plan'
import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createReleaseTemplate, fetchReleaseTemplate, replaceReleaseTemplate } from '../api/release-templates.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { replaceIfUnchanged, withoutEtag } from '../edit-conflict/replace-if-unchanged.ts'
import { useCatalogue } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { type Keyed, replaceEntry, withKey } from '../ui/form/keyed-list.ts'
import { showSuccess } from '../ui/messages/feedback.ts'
import { MilestoneFields } from './milestone-fields.tsx'
import {
  createMilestone,
  createTemplateDraft,
  isReady,
  type MilestoneDraft,
  type TemplateDraft,
  toTemplateDraft,
  toTemplateInput,
} from './template-draft.ts'
import { TEMPLATE_TEXTS } from './texts.ts'

interface Props {
  /** Id of the edited template; undefined for a new template. */
  readonly id: string | undefined
  readonly close: () => void
}

/** Panel that creates or edits a release template. */
export function TemplateEditor({ id, close }: Props) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const [title, setTitle] = useState(t.newTitle)
  return (
    <SidePanel title={title} close={close} isWide>
      <EditorLoader
        of={id === undefined ? undefined : ['release-template', id]}
        read={() => {
          const reading = fetchReleaseTemplate(id ?? '')
          void reading.then(
            ({ name }) => setTitle(t.editTitle(name)),
            () => undefined,
          )
          return withoutEtag(reading)
        }}
      >
        {(opened) => <Editor opened={opened?.value} close={close} />}
      </EditorLoader>
    </SidePanel>
  )
}

function Editor({ opened, close }: { opened: ReleaseTemplate | undefined; close: () => void }) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const [draft, setDraft] = useState<TemplateDraft>(() =>
    opened === undefined ? createTemplateDraft() : toTemplateDraft(opened),
  )
  const save = useSave(opened, close)
  const put = (change: Partial<TemplateDraft>): void => setDraft((now) => ({ ...now, ...change }))
  const body = toTemplateInput(draft)
  return (
    <Form
      save={save}
      close={close}
      isReady={isReady(draft)}
      draft={body}
      submit={() => save.mutate(body)}
      note={
        opened !== undefined && (
          <Text size="sm" c="dimmed" mb="xs">
            {t.editNote}
          </Text>
        )
      }
      isLong
    >
      <NameField value={draft.name} maxLength={200} isFirst put={(name) => put({ name })} />
      <DescriptionField value={draft.description} maxLength={5000} put={(description) => put({ description })} />
      <MilestoneList milestones={draft.milestones} put={(milestones) => put({ milestones })} />
    </Form>
  )
}

interface ListProps {
  readonly milestones: readonly Keyed<MilestoneDraft>[]
  readonly put: (milestones: readonly Keyed<MilestoneDraft>[]) => void
}

function MilestoneList({ milestones, put }: ListProps) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const move = (from: number, to: number): void => {
    const moved = milestones[from]
    if (moved !== undefined) put(milestones.toSpliced(from, 1).toSpliced(to, 0, moved))
  }
  return (
    <FieldGroup title={t.milestones} hint={`${t.milestonesHint} ${t.timeHint}`}>
      {milestones.map(({ key, value }, index) => (
        <MilestoneFields
          key={key}
          number={index + 1}
          milestone={value}
          isLast={index === milestones.length - 1}
          put={(next) => put(replaceEntry(milestones, key, next))}
          remove={milestones.length > 1 ? () => put(replaceEntry(milestones, key, undefined)) : undefined}
          up={index > 0 ? () => move(index, index - 1) : undefined}
          down={index < milestones.length - 1 ? () => move(index, index + 1) : undefined}
        />
      ))}
      {milestones.length < MAX_MILESTONES && (
        <Button variant="default" size="xs" onClick={() => put([...milestones, withKey(createMilestone(100, null))])}>
          {t.addMilestone}
        </Button>
      )}
    </FieldGroup>
  )
}

function useSave(opened: ReleaseTemplate | undefined, close: () => void) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async (body: ReleaseTemplateInput): Promise<void> => {
      if (opened === undefined) {
        await createReleaseTemplate(body)
        return
      }
      const reader = { read: () => fetchReleaseTemplate(opened.id), bodyOf: toBody }
      await replaceIfUnchanged(opened, reader, () => replaceReleaseTemplate(opened.id, body))
    },
    onSuccess: async (_data, { name }) => {
      await refetch(['release-templates'], ['events'])
      close()
      showSuccess(t.saved(name))
    },
  })
}

const toBody = (template: ReleaseTemplate): ReleaseTemplateInput => toTemplateInput(toTemplateDraft(template))
