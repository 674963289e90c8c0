import type { User } from '@burgee/protocol/access'
import { Checkbox, Radio, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefetch } from '../api/use-refetch.ts'
import { createResetLink, getDisplayName, getLoginName, setPassword, toReachableLink } from '../api/users.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form, OneTimeSecret } from '../ui/form/form.tsx'
import { generatePassword } from './generated-password.ts'
import { USER_TEXTS } from './texts.ts'

/** Credential with which a user gets access: a link for choosing a password, or a generated password. */
export type AccessMethod = 'link' | 'password'

/** Credential to pass on to a user, which is shown only once. */
export interface OneTimeCredential {
  readonly login: string
  readonly way: AccessMethod
  readonly secret: string
}

/** Returns the credential to pass on to a user. Links are converted to links that the browser can open. */
export function createCredential(
  user: Pick<User, 'username' | 'email'>,
  way: AccessMethod,
  secret: string,
): OneTimeCredential {
  return { login: getLoginName(user), way, secret: way === 'link' ? toReachableLink(secret) : secret }
}

interface AccessMethodChoiceProps {
  readonly way: AccessMethod
  readonly put: (way: AccessMethod) => void
  /** Text that describes the link or the password. */
  readonly texts: readonly [string, string]
}

/** Choice between a link and a password. */
export function AccessMethodChoice({ way, put, texts }: AccessMethodChoiceProps) {
  const { users: own } = useCatalogue(USER_TEXTS)
  return (
    <Radio.Group label={own.ways} value={way} onChange={(next) => put(next as AccessMethod)}>
      <Stack gap="xs" mt={4}>
        <Radio value="link" label={own.byLink} description={texts[0]} />
        <Radio value="password" label={own.byPassword} description={texts[1]} />
      </Stack>
    </Radio.Group>
  )
}

interface ResetPasswordProps {
  /** User who gets a new password; undefined while the dialog is closed. */
  readonly user: User | undefined
  readonly close: () => void
  readonly made: (pass: OneTimeCredential) => void
}

/** Dialog that resets a lost password. */
export function ResetPasswordDialog({ user, close, made }: ResetPasswordProps) {
  const { users: own } = useCatalogue(USER_TEXTS)
  return (
    <Dialog
      title={user === undefined ? '' : own.passwordTitle(getDisplayName(user))}
      opened={user !== undefined}
      close={close}
    >
      {user !== undefined && <ResetPasswordForm user={user} close={close} made={made} />}
    </Dialog>
  )
}

function ResetPasswordForm({ user, close, made }: ResetPasswordProps & { user: User }) {
  const { users: own } = useCatalogue(USER_TEXTS)
  const refetch = useRefetch()
  const [way, setWay] = useState<AccessMethod>('link')
  const [endsTokens, setEndsTokens] = useState(true)
  const save = useMutation({
    mutationFn: async () => {
      if (way === 'link') return createResetLink(getLoginName(user), endsTokens)
      const password = generatePassword((bytes) => crypto.getRandomValues(bytes))
      await setPassword(user.id, password, endsTokens)
      return password
    },
    onSuccess: async (secret) => {
      await refetch(['users'], ['events'])
      close()
      made(createCredential(user, way, secret))
    },
  })
  return (
    <Form save={save} close={close} draft={undefined} submit={() => save.mutate()} action={own.passwordAction}>
      <AccessMethodChoice way={way} put={setWay} texts={[own.renewLinkText, own.renewPasswordText]} />
      <Checkbox
        label={own.endTokens}
        description={way === 'link' ? own.endTokensByLink : own.endTokensByPassword}
        checked={endsTokens}
        onChange={(event) => setEndsTokens(event.currentTarget.checked)}
      />
    </Form>
  )
}

/** Dialog that shows a password or a link, only once. */
export function CredentialDialog({ pass, close }: { pass: OneTimeCredential | undefined; close: () => void }) {
  const { users: own } = useCatalogue(USER_TEXTS)
  const isLink = pass?.way === 'link'
  return (
    <Dialog title={isLink ? own.onceLinkTitle : own.onceTitle} opened={pass !== undefined} close={close} isSticky>
      {pass !== undefined && (
        <OneTimeSecret
          text={isLink ? own.onceLinkText(pass.login) : own.onceText(pass.login)}
          label={isLink ? own.link : own.password}
          secret={pass.secret}
          done={own.onceDone}
          close={close}
        />
      )}
    </Dialog>
  )
}
