import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { discardChange } from '../api/change-requests.ts'
import type { FlagEnvironment } from '../api/flags.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import ui from '../ui/ui.module.css'
import styles from './draft-mark.module.css'
import { PROPOSAL_TEXTS } from './texts.ts'
import { type FlagDraft, useFlagDraft } from './use-flag-draft.ts'

interface Props extends FlagEnvironment {
  /** Current state of the flag. */
  readonly enabled: boolean
}

/** Mark next to a switch: what the user's draft changes about the flag, and a button that discards this change. */
export function DraftMark({ enabled, ...place }: Props) {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const act = useAction()
  const draft = useFlagDraft(place)
  const describe = useDraftText()
  if (draft === undefined) return null
  const { project, feature, environment } = place
  const discard = () =>
    act({
      what: t.discardDraft,
      run: async () => {
        for (const { id } of draft.changes) await discardChange({ project, id: draft.id }, id)
      },
      done: t.draftDiscarded,
      changes: ['change-requests', 'change-request', 'events', 'inbox'],
    })
  return (
    <fieldset className={styles.mark} aria-label={t.draftOf(feature, environment)}>
      <Link
        to="/projects/$project/change-requests/$request"
        params={{ project, request: String(draft.id) }}
        className={ui.link ?? ''}
      >
        {describe(draft, enabled)}
      </Link>
      <Button size="compact-xs" variant="subtle" onClick={() => void discard()}>
        {t.discardDraft}
      </Button>
    </fieldset>
  )
}

/** Mark for a draft in the list of environments. */
export function DraftHint({ enabled, ...place }: Props) {
  const draft = useFlagDraft(place)
  const describe = useDraftText()
  return draft !== undefined && <span className={styles.hint}>{describe(draft, enabled)}</span>
}

/** Mark for a draft in the list of flags, described in full on hover. */
export function ListDraft({ enabled, ...place }: Props) {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const draft = useFlagDraft(place)
  const describe = useDraftText()
  if (draft === undefined) return null
  return (
    <span className={styles.listed} title={describe(draft, enabled)}>
      {t.drafted}
    </span>
  )
}

/** Returns a function that describes what a draft does to a flag, such as "On → Off in your draft". */
function useDraftText(): (draft: FlagDraft, enabled: boolean) => string {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const { flags } = useTexts()
  return (draft, enabled) => {
    const { changes, enabled: wanted } = draft
    if (wanted === undefined || wanted === enabled) return t.inDraft(changes.length)
    const [from, to] = wanted ? [flags.off, flags.on] : [flags.on, flags.off]
    return t.switchInDraft(from, to, changes.filter(({ action }) => action !== 'updateEnabled').length)
  }
}
