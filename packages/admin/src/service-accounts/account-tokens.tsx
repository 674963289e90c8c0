import type { PersonalToken } from '@burgee/protocol/access'
import type { ServiceAccount } from '@burgee/protocol/administration/service-account'
import { Select, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createAccountToken, removeAccountToken } from '../api/access/service-accounts.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { callName } from '../api/users.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Form, Once } from '../ui/form/form.tsx'
import { useAct } from '../ui/messages/use-act.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { SERVICE_ACCOUNT_TEXTS } from './texts.ts'

const DAY_MS = 86_400_000

interface Props {
  readonly account: ServiceAccount
  readonly close: () => void
}

/** Tokens of a service account: made, with a secret that is shown once, and taken back. */
export function AccountTokens({ account, close }: Props) {
  const t = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const [secret, setSecret] = useState<string>()
  return (
    <SidePanel title={secret === undefined ? t.tokensOf(callName(account)) : t.onceTitle} close={close} isWide>
      {secret === undefined ? (
        <>
          {account.tokens.length === 0 ? <Text mb="md">{t.noTokens}</Text> : <TokenTable account={account} />}
          <TokenForm account={account} made={setSecret} />
        </>
      ) : (
        <Once text={t.onceText} label={t.token} secret={secret} done={t.onceDone} close={() => setSecret(undefined)} />
      )}
    </SidePanel>
  )
}

function TokenTable({ account }: Pick<Props, 'account'>) {
  const t = useTexts()
  const own = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const { ago, date } = useFormat()
  const act = useAct()
  const revoke = ({ id, description }: PersonalToken) =>
    act({
      what: own.revoke,
      ask: { title: own.revokeTitle(description), text: own.revokeText, action: own.revoke, isDanger: true },
      run: () => removeAccountToken(account.id, id),
      done: own.revoked(description),
      changes: ['service-accounts'],
    })
  return (
    <Table label={own.tokens} isDense columns={[own.purpose, own.lastUsed, own.expires, t.common.actions]}>
      {account.tokens.map((token) => (
        <tr key={token.id}>
          <th scope="row">{token.description}</th>
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

function TokenForm({ account, made }: Pick<Props, 'account'> & { made: (secret: string) => void }) {
  const t = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const [description, setDescription] = useState('')
  const [days, setDays] = useState('90')
  const refetch = useRefetch()
  const save = useMutation({
    mutationFn: () => {
      const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      return createAccountToken(account.id, { description: description.trim(), expiresAt })
    },
    onSuccess: async ({ secret }) => {
      await refetch(['service-accounts'])
      made(secret)
    },
  })
  return (
    <Form
      {...{ save, draft: [description, days], isReady: description.trim() !== '' }}
      submit={() => save.mutate()}
      action={t.createToken}
    >
      <TextInput
        label={t.purpose}
        value={description}
        maxLength={255}
        required
        mt="md"
        data-autofocus
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Select
        label={t.expires}
        data={Object.entries(t.days).map(([value, label]) => ({ value, label }))}
        value={days}
        onChange={(value) => setDays(value ?? '90')}
      />
    </Form>
  )
}
