import { Alert } from '@mantine/core'
import { messageOf, saidOf } from '../../text/problem.ts'
import { useTexts } from '../../text/texts.tsx'

/**
 * What was refused, in a form: our sentence; where that cannot say what is wrong, the server's own words are folded away
 * below it.
 */
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
