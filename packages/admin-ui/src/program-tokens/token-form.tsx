import type { CreatePersonalToken, NewPersonalToken } from '@burgee/protocol/access'
import { Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { PROGRAM_TOKEN_TEXTS } from './texts.ts'

const DAY_MS = 86_400_000

interface Props {
  readonly create: (body: CreatePersonalToken) => Promise<NewPersonalToken>
  /** Key prefix of the query that lists the tokens. */
  readonly list: string
  readonly action: string
  /** Default lifetime in days; must be one of the choices. */
  readonly lastsDays: '30' | '90'
  readonly made: (secret: string) => void
  readonly close?: () => void
}

/** Form that creates a token for a program, with a description of its purpose and an expiry. */
export function TokenForm({ create, list, action, lastsDays, made, close }: Props) {
  const t = useCatalogue(PROGRAM_TOKEN_TEXTS)
  const [description, setDescription] = useState('')
  const [days, setDays] = useState<string>(lastsDays)
  const refetch = useRefetch()
  const save = useMutation({
    mutationFn: () => {
      const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      return create({ description: description.trim(), expiresAt })
    },
    onSuccess: async ({ secret }) => {
      await refetch([list])
      made(secret)
    },
  })
  return (
    <Form
      save={save}
      action={action}
      draft={[description, days]}
      isReady={description.trim() !== ''}
      {...(close === undefined ? {} : { close })}
      submit={() => save.mutate()}
    >
      <TextInput
        label={t.purpose}
        value={description}
        maxLength={255}
        required
        data-autofocus
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Select
        label={t.expires}
        data={Object.entries(t.days).map(([value, label]) => ({ value, label }))}
        value={days}
        onChange={(value) => setDays(value ?? lastsDays)}
      />
    </Form>
  )
}
