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
  /** Flag of the displayed drafts. If given, only drafts that change this flag are shown. */
  readonly feature?: string
}

/** The user's drafts of a project, if the project uses change requests. */
export function Drafts({ project, feature }: DraftProps) {
  const { hasGuards } = useGuards(project, useIdleOnce())
  return hasGuards && <DraftBar project={project} {...(feature !== undefined && { feature })} />
}

interface GuardNoteProps {
  readonly project: string
  readonly environment: string
  readonly feature: string
}

/** Pending changes of a flag in an environment that requires change requests. */
export function GuardNote({ project, environment, feature }: GuardNoteProps) {
  const { isGuarded } = useGuards(project)
  return isGuarded(environment) && <PendingChangesNote project={project} environment={environment} feature={feature} />
}
