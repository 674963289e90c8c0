import type { PersonalToken } from '@burgee/protocol/access'
import { Button, Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createPersonalToken, personalTokens, revokePersonalToken } from '../api/me.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form, Once } from '../ui/form/form.tsx'
import { useAct } from '../ui/messages/use-act.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { PROFILE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/profile')
const DAY_MS = 86_400_000

/** Tokens with which programs act as me: made, looked at, taken back. */
export function PersonalTokens() {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const answer = useQuery({ queryKey: ['personal-tokens'], queryFn: personalTokens })
  const go = (search: { token?: string }): void => void navigate({ to: '/profile', search })
  return (
    <Section
      title={own.tokens}
      actions={answer.data && <Button onClick={() => go({ token: 'new' })}>{own.create}</Button>}
    >
      <Text c="dimmed" mb="md">
        {own.tokensIntro}
      </Text>
      <Loaded answer={answer}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Text>
              <strong>{own.empty}.</strong> {own.emptyText}
            </Text>
          ) : (
            <TokenTable tokens={tokens} />
          )
        }
      </Loaded>
      <CreateDialog opened={token === 'new'} close={() => go({})} />
    </Section>
  )
}

function TokenTable({ tokens }: { tokens: readonly PersonalToken[] }) {
  const t = useTexts()
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { ago, date } = useFormat()
  const act = useAct()
  const revoke = ({ id, description }: PersonalToken) =>
    act({
      what: own.revoke,
      ask: { title: own.revokeTitle(description), text: own.revokeText, action: own.revoke, isDanger: true },
      run: () => revokePersonalToken(id),
      done: own.revoked(description),
      changes: ['personal-tokens'],
    })
  return (
    <Table label={own.tokens} columns={[own.purpose, t.common.created, own.lastUsed, own.expires, t.common.actions]}>
      {tokens.map((token) => (
        <tr key={token.id}>
          <th scope="row">{token.description}</th>
          <td className={ui.short}>{date(token.createdAt)}</td>
          <td className={ui.short}>{token.seenAt === null ? t.common.never : ago(token.seenAt)}</td>
          <td className={ui.short}>{date(token.expiresAt)}</td>
          <td>
            <RowButton
              label={own.revokeLabel(token.description)}
              text={own.revoke}
              isDanger
              act={() => revoke(token)}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function CreateDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const [secret, setSecret] = useState<string>()
  const leave = (): void => {
    setSecret(undefined)
    close()
  }
  return (
    <Dialog
      title={secret === undefined ? own.create : own.onceTitle}
      opened={opened}
      close={leave}
      isSticky={secret !== undefined}
    >
      {secret === undefined ? (
        <TokenForm close={leave} made={setSecret} />
      ) : (
        <Once text={own.onceText} label={own.token} secret={secret} done={own.onceDone} close={leave} />
      )}
    </Dialog>
  )
}

function TokenForm({ close, made }: { close: () => void; made: (secret: string) => void }) {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const refetch = useRefetch()
  const [description, setDescription] = useState('')
  const [days, setDays] = useState('30')
  const save = useMutation({
    mutationFn: () => {
      const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      return createPersonalToken({ description: description.trim(), expiresAt })
    },
    onSuccess: async ({ secret }) => {
      await refetch(['personal-tokens'])
      made(secret)
    },
  })
  return (
    <Form
      {...{ save, close }}
      draft={[description, days]}
      isReady={description.trim() !== ''}
      submit={() => save.mutate()}
      action={own.create}
    >
      <TextInput
        label={own.purpose}
        value={description}
        maxLength={255}
        required
        data-autofocus
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Select
        label={own.expires}
        data={Object.entries(own.days).map(([value, label]) => ({ value, label }))}
        value={days}
        onChange={(value) => setDays(value ?? '30')}
      />
    </Form>
  )
}
