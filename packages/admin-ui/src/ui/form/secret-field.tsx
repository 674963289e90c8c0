import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTexts } from '../../text/texts.tsx'

/** Field for a password or another secret, with a button that shows or hides the characters. */
export function SecretField(props: PasswordInputProps) {
  const t = useTexts()
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t.login.reveal }} {...props} />
}
