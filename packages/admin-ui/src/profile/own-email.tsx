import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../api/http.ts'
import { updateMyProfile } from '../api/me.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { describeError } from '../text/error-message.ts'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { isEmail } from '../ui/form/email.ts'
import { Form } from '../ui/form/form.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { PROFILE_TEXTS } from './texts.ts'

interface Props {
  readonly opened: boolean
  readonly email: string
  /** True if changing the address requires the current password. */
  readonly takesPassword: boolean
  readonly close: () => void
}

/** Dialog in which users change their own e-mail address, unless it is managed elsewhere. */
export function EmailDialog({ opened, ...props }: Props) {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  return (
    <Dialog title={own.changeEmail} opened={opened} close={props.close} size="md">
      <EmailForm {...props} />
    </Dialog>
  )
}

function EmailForm({ email, takesPassword, close }: Omit<Props, 'opened'>) {
  const t = useTexts()
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { person } = useCatalogue(PEOPLE_TEXTS)
  const [draft, setDraft] = useState({ email, password: '' })
  const save = useEmailChange(draft, close)
  const { beside, rest } = useFieldErrors(save.error)
  const put = (change: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...change })
    save.reset()
  }
  const isBad = draft.email.trim() !== '' && !isEmail(draft.email)
  const isReady = isEmail(draft.email) && (!takesPassword || draft.password !== '')
  return (
    <Form save={{ ...save, error: rest }} draft={draft} close={close} isReady={isReady} submit={() => save.mutate()}>
      <TextInput
        label={person.email}
        description={own.changeEmailHint}
        value={draft.email}
        maxLength={254}
        autoComplete="email"
        required
        data-autofocus
        error={isBad ? own.emailBad : beside.email}
        onChange={(event) => put({ email: event.currentTarget.value })}
      />
      {takesPassword && (
        <SecretField
          label={t.login.oldPassword}
          description={own.passwordHint}
          value={draft.password}
          autoComplete="current-password"
          required
          error={beside.password}
          onChange={(event) => put({ password: event.currentTarget.value })}
        />
      )}
      <Text size="sm" c="dimmed">
        {own.emailEndsLinks}
      </Text>
    </Form>
  )
}

function useEmailChange({ email, password }: { email: string; password: string }, close: () => void) {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const refetch = useRefetch()
  return useMutation({
    mutationFn: () =>
      updateMyProfile({ email: email.trim(), ...(password === '' ? {} : { currentPassword: password }) }),
    onSuccess: async (me) => {
      await refetch(['me'], ['profile'], ['users'], ['members'], ['events'])
      close()
      showSuccess(own.emailChanged(me.email ?? ''))
    },
  })
}

/** Maps an error to a message for the field at fault. Errors that do not belong to a field are returned as `rest`. */
function useFieldErrors(error: Error | null) {
  const t = useTexts()
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const code = error instanceof ApiError ? error.code : undefined
  const email = code === 'NameExistsError' ? own.emailTaken : code === 'ValidationError' ? own.emailBad : undefined
  const password = code === 'PasswordMismatch' ? describeError(t, error) : undefined
  return { beside: { email, password }, rest: email === undefined && password === undefined ? error : null }
}
