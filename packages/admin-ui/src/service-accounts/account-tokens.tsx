import type { ServiceAccount } from '@burgee/protocol/administration/service-account'
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { createAccountToken, removeAccountToken } from '../api/access/service-accounts.ts'
import { getDisplayName } from '../api/users.ts'
import { PROGRAM_TOKEN_TEXTS } from '../program-tokens/texts.ts'
import { TokenForm } from '../program-tokens/token-form.tsx'
import { TokenTable } from '../program-tokens/token-table.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { OneTimeSecret } from '../ui/form/form.tsx'
import { SERVICE_ACCOUNT_TEXTS } from './texts.ts'

const LIST = 'service-accounts'

interface Props {
  readonly account: ServiceAccount
  readonly close: () => void
}

/** Panel with a service account's tokens, which can be created and revoked. A secret is shown only once. */
export function AccountTokens({ account, close }: Props) {
  const t = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const { token, onceDone } = useCatalogue(PROGRAM_TOKEN_TEXTS)
  const [secret, setSecret] = useState<string>()
  const { id, tokens } = account
  return (
    <SidePanel title={secret === undefined ? t.tokensOf(getDisplayName(account)) : t.onceTitle} close={close} isWide>
      {secret === undefined ? (
        <Stack>
          {tokens.length === 0 ? (
            <Text>{t.noTokens}</Text>
          ) : (
            <TokenTable
              tokens={tokens}
              list={LIST}
              label={t.tokens}
              isDense={true}
              revoke={(one) => removeAccountToken(id, one)}
            />
          )}
          <TokenForm
            list={LIST}
            action={t.createToken}
            lastsDays="90"
            made={setSecret}
            create={(body) => createAccountToken(id, body)}
          />
        </Stack>
      ) : (
        <OneTimeSecret
          text={t.onceText}
          label={token}
          secret={secret}
          done={onceDone}
          close={() => setSecret(undefined)}
        />
      )}
    </SidePanel>
  )
}
