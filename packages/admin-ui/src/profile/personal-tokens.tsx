import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createPersonalToken, fetchPersonalTokens, revokePersonalToken } from '../api/me.ts'
import { PROGRAM_TOKEN_TEXTS } from '../program-tokens/texts.ts'
import { TokenForm } from '../program-tokens/token-form.tsx'
import { TokenTable } from '../program-tokens/token-table.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { OneTimeSecret } from '../ui/form/form.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Section } from '../ui/page/section.tsx'
import { PROFILE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/profile')
const LIST = 'personal-tokens'

/** Personal tokens for programs that act as the user, with buttons to create and revoke them. */
export function PersonalTokens() {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const answer = useQuery({ queryKey: ['personal-tokens'], queryFn: fetchPersonalTokens })
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
            <TokenTable tokens={tokens} list={LIST} label={own.tokens} revoke={revokePersonalToken} />
          )
        }
      </Loaded>
      <CreateDialog opened={token === 'new'} close={() => go({})} />
    </Section>
  )
}

function CreateDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { token, onceDone } = useCatalogue(PROGRAM_TOKEN_TEXTS)
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
        <TokenForm
          list={LIST}
          action={own.create}
          lastsDays="30"
          made={setSecret}
          close={leave}
          create={createPersonalToken}
        />
      ) : (
        <OneTimeSecret text={own.onceText} label={token} secret={secret} done={onceDone} close={leave} />
      )}
    </Dialog>
  )
}
