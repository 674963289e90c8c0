import { Link } from '@tanstack/react-router'
import { useCatalogue } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { INBOX_TEXTS } from './texts.ts'
import { useInbox } from './use-inbox.ts'

/**
 * Hint about change requests in other projects that await the user. Renders nothing if there are no such change
 * requests.
 */
export function ElsewhereNote({ project }: { project: string }) {
  const t = useCatalogue(INBOX_TEXTS)
  const others = useInbox().data?.requests.filter((one) => one.project !== project) ?? []
  if (others.length === 0) return null
  return (
    <p className={ui.hint}>
      <Link to="/" className={ui.link ?? ''}>
        {t.elsewhere(others.length)}
      </Link>
    </p>
  )
}
