import type { CodeReference, CodeRemoval } from '@burgee/protocol/administration/removal'
import { useCatalogue, useFormat } from '../../text/texts.tsx'
import { OutsideLink } from '../../ui/page/outside-link.tsx'
import { REMOVAL_TEXTS } from './removal-texts.ts'

const SHORT_REVISION_LENGTH = 7

/** File and line of a place in the code, with a link to the repository. */
export function CodePlace({ reference: { path, line, url } }: { reference: CodeReference }) {
  return <OutsideLink url={url}>{`${path}:${line}`}</OutsideLink>
}

/** Sentence with the commit that removed a flag from a repository, with a link to the commit. */
export function RemovalCommit({
  removal: { repository, revision, time, url },
}: {
  removal: Pick<CodeRemoval, 'repository' | 'revision' | 'time' | 'url'>
}) {
  const t = useCatalogue(REMOVAL_TEXTS)
  const { date } = useFormat()
  return (
    <OutsideLink url={url}>{t.removed(revision.slice(0, SHORT_REVISION_LENGTH), repository, date(time))}</OutsideLink>
  )
}
