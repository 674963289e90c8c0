import { Alert } from '@mantine/core'
import { describeError, findServerMessage } from '../../text/error-message.ts'
import { useTexts } from '../../text/texts.tsx'

/** Error of a form in the user's language. If that text is too vague, the server's message can be unfolded below it. */
export function ProblemAlert({ error }: { error: unknown }) {
  const t = useTexts()
  const said = findServerMessage(t, error)
  return (
    <Alert color="red" role="alert" mb="sm">
      {describeError(t, error)}
      {said !== undefined && (
        <details>
          <summary>{t.problems.said}</summary>
          {said}
        </details>
      )}
    </Alert>
  )
}
