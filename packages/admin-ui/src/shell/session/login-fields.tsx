import { TextInput } from '@mantine/core'
import { useTexts } from '../../text/texts.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'

interface Props {
  readonly value: string
  readonly put: (value: string) => void
}

/** Field for the username. */
export function UsernameField({ value, put, isFocused = false }: Props & { readonly isFocused?: boolean }) {
  const t = useTexts()
  return (
    <TextInput
      label={t.login.username}
      autoComplete="username"
      value={value}
      required
      autoFocus={isFocused}
      onChange={(event) => put(event.currentTarget.value)}
    />
  )
}

/** Field for the password. In a dialog, the field gets the focus. */
export function PasswordField({ value, put }: Props) {
  const t = useTexts()
  return (
    <SecretField
      label={t.login.password}
      autoComplete="current-password"
      value={value}
      required
      data-autofocus
      onChange={(event) => put(event.currentTarget.value)}
    />
  )
}
