import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLanguage, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { loadPart } from '../ui/loading/load-part.ts'
import type { LiveChange } from './go-live-question.tsx'

const loadQuestion = () => loadPart('GoLive', async () => (await import('./go-live-question.tsx')).buildGoLiveQuestion)

/**
 * Returns a function that shows what a change in production does before it goes live: the users who get each flag, the
 * rollout before and after, and the impact on recent traffic. Resolves to true if the user confirms. Rejects if the
 * flag cannot be read.
 */
export function useGoLive(): (change: LiveChange) => Promise<boolean> {
  const t = useTexts()
  const { language } = useLanguage()
  const queries = useQueryClient()
  const ask = useConfirm()
  const navigate = useNavigate()
  return async (change) => {
    const build = await loadQuestion()
    return ask(
      await build(change, {
        queries,
        t,
        language,
        editStrategy: ({ project, feature, environment }, id = 'new') =>
          void navigate({
            to: '/projects/$project/features/$feature',
            params: { project, feature },
            search: { env: environment, strategy: id },
          }),
      }),
    )
  }
}
