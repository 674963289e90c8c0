import { Alert } from '@mantine/core'
import { messageOf, saidOf } from '../../text/problem.ts'
import { useTexts } from '../../text/texts.tsx'

/** Error of a form in the user's language. If that text is too vague, the server's message can be unfolded below it. */
export function ProblemAlert({ error }: { error: unknown }) {
  const t = useTexts()
  const said = saidOf(t, error)
  return (
    <Alert color="red" role="alert" mb="sm">
      {messageOf(t, error)}
      {said !== undefined && (
        <details>
          <summary>{t.problems.said}</summary>
          {said}
        </details>
      )}
    </Alert>
  )
}
