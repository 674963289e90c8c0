import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { updateArchivedFlags } from '../api/archive.ts'
import { useCatalogue } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ARCHIVE_TEXTS } from './texts.ts'

const AFFECTED_QUERIES = ['archive', 'flags', 'flag', 'projects', 'project', 'segments']

/**
 * Returns functions that revive archived flags, and that permanently delete them after confirmation. The returned
 * functions resolve to true when the flags are revived or deleted.
 */
export function useArchive() {
  const { archive: own } = useCatalogue(ARCHIVE_TEXTS)
  const act = useAction()
  const revive = (flags: readonly FeatureListItem[]): Promise<boolean> => {
    const names = flags.map(({ name }) => name)
    return act({
      what: own.revive,
      run: () => updateArchivedFlags('revive', toFlagRefs(flags)),
      done: own.revived(names),
      undo: { run: () => updateArchivedFlags('archive', toFlagRefs(flags)), done: own.archivedAgain(names) },
      changes: AFFECTED_QUERIES,
    })
  }
  const remove = (flags: readonly FeatureListItem[]): Promise<boolean> => {
    const names = flags.map(({ name }) => name)
    return act({
      what: own.delete,
      ask: {
        title: own.deleteTitle(names.length),
        text: own.deleteText(names),
        action: own.delete,
        isDanger: true,
        // If there are several flags, there is no single name to type, so the user confirms by typing the number of
        // flags.
        typed: names.length === 1 ? (names[0] ?? '') : String(names.length),
      },
      run: () => updateArchivedFlags('delete', toFlagRefs(flags)),
      done: own.deleted(names),
      changes: AFFECTED_QUERIES,
    })
  }
  return { revive, remove }
}

function toFlagRefs(flags: readonly FeatureListItem[]) {
  return flags.map(({ project, name: feature }) => ({ project, feature }))
}
