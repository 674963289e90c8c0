import type { CreateProject } from '@burgee/protocol/project'
import { MultiSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createProject } from '../api/project-settings.ts'
import { ENVIRONMENTS } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { ME } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { PROJECT_TEXTS } from './texts.ts'

/** Dialog that creates a project and then opens the project. */
export function CreateProjectDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  return (
    <Dialog title={own.create} opened={opened} close={close}>
      <ProjectForm close={close} />
    </Dialog>
  )
}

interface Draft {
  readonly name: string
  readonly id: string
  readonly description: string
  /** Environments of the project. If undefined, the project uses all enabled environments. */
  readonly environments: readonly string[] | undefined
}

function toInput({ name, id, description, environments }: Draft): CreateProject {
  return {
    name: name.trim(),
    ...(id.trim() === '' ? {} : { id: id.trim() }),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(environments === undefined ? {} : { environments: [...environments] }),
  }
}

function ProjectForm({ close }: { close: () => void }) {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const { data: all = [] } = useQuery(ENVIRONMENTS)
  const [draft, setDraft] = useState<Draft>({ name: '', id: '', description: '', environments: undefined })
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const save = useSave()
  const { name, id = '', environments } = toInput(draft)
  const isIdGood = encodeURIComponent(id) === id
  const chosen = environments ?? all.filter(({ enabled }) => enabled).map((one) => one.name)
  const isReady = name !== '' && isIdGood && chosen.length > 0
  return (
    <Form
      save={save}
      draft={draft}
      close={close}
      isReady={isReady}
      submit={() => save.mutate(toInput(draft))}
      action={own.create}
    >
      <NameField label={own.name} value={draft.name} maxLength={200} isFirst put={(name) => put({ name })} />
      <TextInput
        label={own.id}
        description={own.idHint}
        value={draft.id}
        maxLength={100}
        error={!isIdGood && own.idBad}
        onChange={(event) => put({ id: event.currentTarget.value })}
      />
      <DescriptionField value={draft.description} maxLength={5000} put={(description) => put({ description })} />
      <MultiSelect
        label={own.environments}
        data={all.map((one) => one.name)}
        value={[...chosen]}
        required
        searchable
        onChange={(next) => put({ environments: next })}
      />
    </Form>
  )
}

/**
 * Returns the mutation that creates a project. The mutation also refetches the user's permissions, because the creator
 * becomes the owner.
 */
function useSave() {
  const { projects: own } = useCatalogue(PROJECT_TEXTS)
  const refetch = useRefetch()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: createProject,
    onSuccess: async ({ id: project, name }) => {
      await refetch(['projects'], ['environments'], ['events'], ME.queryKey)
      await navigate({ to: '/projects/$project', params: { project } })
      showSuccess(own.created(name))
    },
  })
}
