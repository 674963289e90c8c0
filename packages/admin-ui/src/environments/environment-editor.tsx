import type { Environment } from '@burgee/protocol/project'
import { Autocomplete, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createEnvironment, getSamplingQuery, setSampling, updateEnvironment } from '../api/environments.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { ENVIRONMENT_TEXTS } from './texts.ts'

interface Props {
  readonly opened: boolean
  /** Edited environment; undefined for a new environment. */
  readonly environment: Environment | undefined
  readonly close: () => void
}

/** Dialog that creates an environment or changes its type. */
export function EnvironmentEditor({ opened, ...props }: Props) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  return (
    <Dialog title={props.environment === undefined ? own.create : own.edit} opened={opened} close={props.close}>
      <EnvironmentForm {...props} />
    </Dialog>
  )
}

function EnvironmentForm({ environment, close }: Omit<Props, 'opened'>) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const refetch = useRefetch()
  const [name, setName] = useState(environment?.name ?? '')
  const [type, setType] = useState(environment?.type ?? 'development')
  const [isSampled, setSampled] = useState<boolean>()
  const given = { name: name.trim(), type: type.trim() }
  const isNameGood = encodeURIComponent(given.name) === given.name
  const save = useMutation({
    mutationFn: async () => {
      if (environment === undefined) return void (await createEnvironment(given))
      await updateEnvironment(environment.name, { type: given.type })
      if (isSampled !== undefined) await setSampling(environment.name, isSampled)
    },
    onSuccess: async () => {
      await refetch(['environments'], ['project-environments'], ['events'], ['traffic-sampling', given.name])
      close()
      showSuccess(environment === undefined ? own.created(given.name) : own.saved(given.name))
    },
  })
  const isReady = given.name !== '' && isNameGood && given.type !== ''
  return (
    <Form
      save={save}
      close={close}
      isReady={isReady}
      draft={[given, isSampled]}
      submit={() => save.mutate()}
      {...(environment === undefined ? { action: own.create } : {})}
    >
      <TextInput
        label={own.name}
        description={environment === undefined ? own.nameHint : ''}
        value={name}
        readOnly={environment !== undefined}
        error={!isNameGood && own.nameBad}
        maxLength={100}
        required
        data-autofocus={environment === undefined || undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Autocomplete
        label={own.type}
        description={own.typeHint}
        data={Object.keys(own.types)}
        openOnFocus={false}
        value={type}
        maxLength={100}
        required
        data-autofocus={environment !== undefined || undefined}
        onChange={setType}
      />
      {environment !== undefined && (
        <SamplingField environment={environment.name} chosen={isSampled} choose={setSampled} />
      )}
    </Form>
  )
}

interface SamplingProps {
  readonly environment: string
  /** The user's choice; undefined until the user has chosen. */
  readonly chosen: boolean | undefined
  readonly choose: (isSampled: boolean) => void
}

/** Switch for traffic sampling, with an explanation of how sampling affects privacy. */
function SamplingField({ environment, chosen, choose }: SamplingProps) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const { number } = useFormat()
  const { data } = useQuery(getSamplingQuery(environment))
  const held = data?.enabled === true ? ` ${own.samplingHeld(number(data.contexts))}` : ''
  return (
    <Switch
      label={own.sampling}
      description={`${own.samplingHint}${held}`}
      checked={chosen ?? data?.enabled ?? false}
      disabled={data === undefined}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  )
}
