import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { startSelfTarget } from '../../api/self-targets.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { showSuccess } from '../../ui/messages/feedback.ts'
import { OVERRIDE_TEXTS } from './override-texts.ts'

const DEFAULT_MINUTES = 60
const MAX_USER_ID = 200

interface Props {
  readonly flag: AdminFeature
  /** Environments in which the flag is on and the user may add strategies. */
  readonly environments: AdminFeature['environments']
  readonly userId: string
  readonly close: () => void
}

/** Dialog that gives one user the flag for a limited time. */
export function GiveFlag({ flag, environments, userId, close }: Props) {
  const t = useCatalogue(OVERRIDE_TEXTS)
  const { common } = useTexts()
  const refetch = useRefetch()
  const [user, setUser] = useState(userId)
  const [environment, setEnvironment] = useState(environments[0]?.name ?? '')
  const [variant, setVariant] = useState('')
  const [minutes, setMinutes] = useState(DEFAULT_MINUTES)
  const names = listVariants(environments.find(({ name }) => name === environment))
  const chosen = names.includes(variant) ? variant : ''
  const save = useMutation({
    mutationFn: () =>
      startSelfTarget(
        { project: flag.project, feature: flag.name, environment },
        { userId: user.trim(), minutes, ...(chosen === '' ? {} : { variant: chosen }) },
      ),
    onSuccess: async () => {
      await refetch(['self-targets'], ['flag'], ['playground'], ['events'])
      showSuccess(t.given(user.trim()))
      close()
    },
  })
  return (
    <Dialog title={t.give} close={close}>
      <Form
        save={save}
        close={close}
        action={t.action}
        draft={[user, environment, variant, minutes]}
        isReady={user.trim() !== ''}
        submit={() => save.mutate()}
      >
        <TextInput
          label={t.userId}
          description={t.userIdHint}
          value={user}
          maxLength={MAX_USER_ID}
          required
          data-autofocus
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <NativeSelect
          label={common.environment}
          data={environments.map(({ name }) => name)}
          value={environment}
          onChange={(event) => setEnvironment(event.currentTarget.value)}
        />
        {names.length > 0 && (
          <NativeSelect
            label={t.variant}
            data={[{ value: '', label: t.noVariant }, ...names]}
            value={chosen}
            onChange={(event) => setVariant(event.currentTarget.value)}
          />
        )}
        <NativeSelect
          label={t.duration}
          data={Object.entries(t.durations).map(([value, label]) => ({ value, label }))}
          value={String(minutes)}
          onChange={(event) => setMinutes(Number(event.currentTarget.value))}
        />
      </Form>
    </Dialog>
  )
}

/** Lists the names of the variants that a flag has in an environment, in alphabetical order. */
function listVariants(environment: AdminFeature['environments'][number] | undefined): string[] {
  const lists = [environment?.variants ?? [], ...(environment?.strategies ?? []).map(({ variants }) => variants)]
  return [...new Set(lists.flat().map(({ name }) => name))].sort()
}
