import type { CloneEnvironment } from '@burgee/protocol/environment'
import type { Environment } from '@burgee/protocol/project'
import { Autocomplete, Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cloneEnvironment } from '../api/environments.ts'
import { PROJECTS } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { ENVIRONMENT_TEXTS } from './texts.ts'

interface Props {
  readonly environment: Environment
  readonly close: () => void
}

/**
 * Dialog that clones an environment with its projects, strategies, segments and variants. Flags are off in the clone
 * unless the user chooses otherwise.
 */
export function CloneEnvironmentDialog({ environment, close }: Props) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  return (
    <Dialog title={own.cloneLabel(environment.name)} close={close}>
      <CloneForm environment={environment} close={close} />
    </Dialog>
  )
}

function CloneForm({ environment, close }: Props) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const { data: projects = [] } = useQuery(PROJECTS)
  const [draft, setDraft] = useState<Required<CloneEnvironment>>({
    name: '',
    type: environment.type,
    projects: [],
    clonePermissions: true,
    cloneStrategies: true,
    cloneEnabled: false,
  })
  const put = (change: Partial<CloneEnvironment>): void => setDraft({ ...draft, ...change })
  const name = draft.name.trim()
  const isNameGood = encodeURIComponent(name) === name
  const save = useClone(environment.name, close)
  return (
    <Form
      save={save}
      close={close}
      draft={draft}
      isReady={name !== '' && isNameGood && draft.type.trim() !== ''}
      submit={() => save.mutate({ ...draft, name, cloneEnabled: draft.cloneEnabled && draft.cloneStrategies })}
      action={own.clone}
    >
      <TextInput
        label={own.name}
        description={own.nameHint}
        value={draft.name}
        error={!isNameGood && own.nameBad}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <Autocomplete
        label={own.type}
        description={own.typeHint}
        data={Object.keys(own.types)}
        value={draft.type}
        maxLength={100}
        required
        onChange={(type) => put({ type })}
      />
      <MultiSelect
        label={own.projects}
        description={own.cloneProjectsHint(environment.name)}
        data={projects.map(({ id, name: label }) => ({ value: id, label }))}
        value={draft.projects}
        searchable
        openOnFocus={false}
        onChange={(chosen) => put({ projects: chosen })}
      />
      <CloneOptions draft={draft} put={put} />
    </Form>
  )
}

interface CloneOptionsProps {
  readonly draft: Required<CloneEnvironment>
  readonly put: (change: Partial<CloneEnvironment>) => void
}

function CloneOptions({ draft, put }: CloneOptionsProps) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  return (
    <>
      <Checkbox
        label={own.cloneStrategies}
        checked={draft.cloneStrategies}
        onChange={(event) => put({ cloneStrategies: event.currentTarget.checked })}
      />
      <Checkbox
        label={own.cloneEnabled}
        description={own.cloneEnabledHint}
        checked={draft.cloneEnabled && draft.cloneStrategies}
        disabled={!draft.cloneStrategies}
        onChange={(event) => put({ cloneEnabled: event.currentTarget.checked })}
      />
      <Checkbox
        label={own.clonePermissions}
        checked={draft.clonePermissions}
        onChange={(event) => put({ clonePermissions: event.currentTarget.checked })}
      />
    </>
  )
}

function useClone(from: string, close: () => void) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (body: CloneEnvironment) => cloneEnvironment(from, body),
    onSuccess: async ({ name }) => {
      await refetch(['environments'], ['project-environments'], ['flags'], ['flag'], ['permissions'], ['events'])
      close()
      showSuccess(own.cloned(name, from))
    },
  })
}
