import { Anchor } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { BASE_PATH } from '../api/http.ts'
import { useTexts } from '../text/texts.tsx'
import { Notice, ProblemNotice } from '../ui/page/problem.tsx'

/** Error that is shown instead of a page that could not be opened. */
export function RouteProblem({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <main>
      <ProblemNotice error={error} retry={() => void router.invalidate()} />
    </main>
  )
}

/** Error that is shown within the frame instead of a page that failed. */
export function PageProblem({ error }: { error: unknown }) {
  const router = useRouter()
  return <ProblemNotice error={error} retry={() => void router.invalidate()} />
}

/** Page for unknown URLs, without the frame. */
export function NotFound() {
  return (
    <main>
      <NotFoundNotice />
    </main>
  )
}

/** Notice for unknown URLs. */
export function NotFoundNotice() {
  const t = useTexts()
  useDocumentTitle(`${t.errors.notFound} · Burgee`)
  return (
    <Notice isPage title={t.errors.notFound} action={<Anchor href={`${BASE_PATH}/`}>{t.errors.toFlags}</Anchor>}>
      {t.errors.notFoundText}
    </Notice>
  )
}
