import { Alert } from '@mantine/core'
import { describeError, findServerMessage } from '../../text/error-message.ts'
import { useTexts } from '../../text/texts.tsx'

/**
 * Error in a form, described in the user's language. If the description is too vague, the user can open the server's
 * message below it. `text` replaces both.
 */
export function ProblemAlert({ error, text }: { error: unknown; text?: string | undefined }) {
  const t = useTexts()
  const message = text === undefined ? findServerMessage(t, error) : undefined
  return (
    <Alert color="red" role="alert" mb="sm">
      {text ?? describeError(t, error)}
      {message !== undefined && (
        <details>
          <summary>{t.problems.serverResponse}</summary>
          {message}
        </details>
      )}
    </Alert>
  )
}
