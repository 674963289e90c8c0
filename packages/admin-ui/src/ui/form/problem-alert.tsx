import { Alert } from '@mantine/core'
import { describeError, findServerMessage } from '../../text/error-message.ts'
import { useTexts } from '../../text/texts.tsx'

/**
 * Error in a form, described in the user's language. If the description is too vague, the user can open the server's
 * message below it.
 */
export function ProblemAlert({ error }: { error: unknown }) {
  const t = useTexts()
  const message = findServerMessage(t, error)
  return (
    <Alert color="red" role="alert" mb="sm">
      {describeError(t, error)}
      {message !== undefined && (
        <details>
          <summary>{t.problems.serverResponse}</summary>
          {message}
        </details>
      )}
    </Alert>
  )
}
