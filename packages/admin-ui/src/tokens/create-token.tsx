import type { CreateToken } from '@burgee/protocol/access'
import { MultiSelect, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { createToken } from '../api/tokens.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form, OneTimeSecret } from '../ui/form/form.tsx'
import { TOKEN_TEXTS } from './texts.ts'

const KINDS = ['client', 'frontend', 'admin'] as const
const DAY_MS = 86_400_000

/** Dialog that creates a token and then shows its secret once. */
export function CreateTokenDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useTexts(TOKEN_TEXTS)
  const [secret, setSecret] = useState<string>()
  const leave = (): void => {
    setSecret(undefined)
    close()
  }
  const { create, onceTitle, onceText, token, done } = t.tokens
  return (
    <Dialog
      opened={opened}
      close={leave}
      title={secret === undefined ? create : onceTitle}
      isSticky={secret !== undefined}
    >
      {secret === undefined ? (
        <TokenForm close={leave} made={setSecret} />
      ) : (
        <OneTimeSecret text={onceText} label={token} secret={secret} done={done} close={leave} />
      )}
    </Dialog>
  )
}

interface Draft {
  readonly tokenName: string
  readonly type: (typeof KINDS)[number]
  readonly environment: string
  readonly projects: readonly string[]
  readonly days: string
}

function toInput({ tokenName, type, environment, projects, days }: Draft): CreateToken {
  const expiry = days === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }
  if (type === 'admin') return { tokenName, type, ...expiry }
  return { tokenName, type, environment, projects: projects.length === 0 ? ['*'] : [...projects], ...expiry }
}

function TokenForm({ close, made }: { close: () => void; made: (secret: string) => void }) {
  const t = useTexts(TOKEN_TEXTS)
  const client = useQueryClient()
  const refetch = useRefetch()
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const [draft, setDraft] = useState<Draft>({
    tokenName: '',
    type: 'client',
    environment: '',
    projects: [],
    days: 'never',
  } as Draft)
  const environment = draft.environment || (environments[0]?.name ?? '')
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const save = useMutation({
    mutationFn: async () => {
      // If the form is submitted before the environments are loaded, the submission waits for them.
      const [first] = await client.ensureQueryData(ENVIRONMENTS)
      return createToken(toInput({ ...draft, environment: draft.environment || (first?.name ?? '') }))
    },
    onSuccess: async ({ secret }) => {
      await refetch(['tokens'])
      made(secret)
    },
  })
  const isReady = draft.tokenName.trim() !== ''
  return (
    <Form
      save={save}
      draft={draft}
      close={close}
      isReady={isReady}
      submit={() => save.mutate()}
      action={t.tokens.create}
    >
      <TextInput
        label={t.tokens.tokenName}
        value={draft.tokenName}
        required
        maxLength={100}
        data-autofocus
        onChange={(event) => put({ tokenName: event.currentTarget.value })}
      />
      <Fields draft={{ ...draft, environment }} put={put} />
    </Form>
  )
}

function Fields({ draft, put }: { draft: Draft; put: (change: Partial<Draft>) => void }) {
  const t = useTexts(TOKEN_TEXTS)
  const may = usePermissionCheck()
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const { data: projects = [] } = useQuery(PROJECTS)
  const kinds = KINDS.filter((kind) => may(kind === 'admin' ? 'ADMIN' : `CREATE_${kind.toUpperCase()}_API_TOKEN`))
  return (
    <>
      <Radio.Group label={t.tokens.kind} value={draft.type} onChange={(type) => put({ type: type as Draft['type'] })}>
        <Stack gap="xs" mt={4}>
          {kinds.map((kind) => (
            <Radio key={kind} value={kind} label={t.tokens.kinds[kind]} description={t.tokens.kindHints[kind]} />
          ))}
        </Stack>
      </Radio.Group>
      {draft.type !== 'admin' && (
        <>
          <Select
            label={t.common.environment}
            data={environments.map(({ name }) => name)}
            value={draft.environment}
            onChange={(environment) => put({ environment: environment ?? '' })}
          />
          <MultiSelect
            label={t.tokens.projects}
            placeholder={draft.projects.length === 0 ? t.tokens.allProjects : ''}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={[...draft.projects]}
            searchable
            onChange={(chosen) => put({ projects: chosen })}
          />
        </>
      )}
      <Select
        label={t.tokens.expires}
        data={['never', '7', '30', '90', '365'].map((value) => ({ value, label: t.tokens.expiry[value] ?? value }))}
        value={draft.days}
        onChange={(days) => put({ days: days ?? 'never' })}
      />
    </>
  )
}
