import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { useGuards } from './guard.ts'

const DraftBar = lazyPart('DraftBar', async () => (await import('./draft-bar.tsx')).DraftBar)
const PendingChangesNote = lazyPart(
  'WaitingRequests',
  async () => (await import('./pending-changes-note.tsx')).PendingChangesNote,
)

interface DraftProps {
  readonly project: string
  /** Flag for which drafts are shown. If undefined, all drafts are shown. */
  readonly feature?: string
}

/** Drafts of the user in a project, if the project uses change requests. */
export function Drafts({ project, feature }: DraftProps) {
  const { hasGuards } = useGuards(project, useIdleOnce())
  return hasGuards && <DraftBar project={project} {...(feature !== undefined && { feature })} />
}

interface GuardNoteProps {
  readonly project: string
  readonly environment: string
  readonly feature: string
}

/** Pending changes to a flag in an environment that requires change requests. */
export function GuardNote({ project, environment, feature }: GuardNoteProps) {
  const { isGuarded } = useGuards(project)
  return isGuarded(environment) && <PendingChangesNote project={project} environment={environment} feature={feature} />
}
