import type { User } from '@burgee/protocol/access'
import { Checkbox, Radio, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefetch } from '../api/use-refetch.ts'
import { callName, loginName, reachable, resetLink, setPassword } from '../api/users.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form, Once } from '../ui/form/form.tsx'
import { makePassword } from './made-up-password.ts'
import { USER_TEXTS } from './texts.ts'

/** Access for a user: a link to choose a password, or a generated password. */
export type Way = 'link' | 'password'

/** Credential to pass on to a user, shown once. */
export interface OneTimeCredential {
  readonly login: string
  readonly way: Way
  readonly secret: string
}

/** Returns the credential to pass on to a user. Links are made reachable. */
export function credentialFor(user: Pick<User, 'username' | 'email'>, way: Way, secret: string): OneTimeCredential {
  return { login: loginName(user), way, secret: way === 'link' ? reachable(secret) : secret }
}

interface WaysProps {
  readonly way: Way
  readonly put: (way: Way) => void
  /** Descriptions of the link and of the password. */
  readonly texts: readonly [string, string]
}

/** Choice between a link and a password. */
export function Ways({ way, put, texts }: WaysProps) {
  const { users: own } = useCatalogue(USER_TEXTS)
  return (
    <Radio.Group label={own.ways} value={way} onChange={(next) => put(next as Way)}>
      <Stack gap="xs" mt={4}>
        <Radio value="link" label={own.byLink} description={texts[0]} />
        <Radio value="password" label={own.byPassword} description={texts[1]} />
      </Stack>
    </Radio.Group>
  )
}

interface RenewProps {
  /** User who gets a new password; undefined while closed. */
  readonly user: User | undefined
  readonly close: () => void
  readonly made: (pass: OneTimeCredential) => void
}

/** Dialog that resets a lost password. */
export function RenewDialog({ user, close, made }: RenewProps) {
  const { users: own } = useCatalogue(USER_TEXTS)
  return (
    <Dialog
      title={user === undefined ? '' : own.passwordTitle(callName(user))}
      opened={user !== undefined}
      close={close}
    >
      {user !== undefined && <RenewForm user={user} close={close} made={made} />}
    </Dialog>
  )
}

function RenewForm({ user, close, made }: RenewProps & { user: User }) {
  const { users: own } = useCatalogue(USER_TEXTS)
  const refetch = useRefetch()
  const [way, setWay] = useState<Way>('link')
  const [endsTokens, setEndsTokens] = useState(true)
  const save = useMutation({
    mutationFn: async () => {
      if (way === 'link') return resetLink(loginName(user), endsTokens)
      const password = makePassword((bytes) => crypto.getRandomValues(bytes))
      await setPassword(user.id, password, endsTokens)
      return password
    },
    onSuccess: async (secret) => {
      await refetch(['users'], ['events'])
      close()
      made(credentialFor(user, way, secret))
    },
  })
  return (
    <Form {...{ save, close }} draft={undefined} submit={() => save.mutate()} action={own.passwordAction}>
      <Ways way={way} put={setWay} texts={[own.renewLinkText, own.renewPasswordText]} />
      <Checkbox
        label={own.endTokens}
        description={way === 'link' ? own.endTokensByLink : own.endTokensByPassword}
        checked={endsTokens}
        onChange={(event) => setEndsTokens(event.currentTarget.checked)}
      />
    </Form>
  )
}

/** Dialog that shows a password or a link once. */
export function CredentialDialog({ pass, close }: { pass: OneTimeCredential | undefined; close: () => void }) {
  const { users: own } = useCatalogue(USER_TEXTS)
  const isLink = pass?.way === 'link'
  return (
    <Dialog title={isLink ? own.onceLinkTitle : own.onceTitle} opened={pass !== undefined} close={close} isSticky>
      {pass !== undefined && (
        <Once
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
