import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { useGuard } from './guard.ts'

const DraftBar = lazyPart('DraftBar', async () => (await import('./draft-bar.tsx')).DraftBar)
const Waiting = lazyPart('WaitingRequests', async () => (await import('./waiting.tsx')).Waiting)

/** The user's drafts of a project, if the project uses change requests. */
export function Drafts({ project }: { project: string }) {
  const { hasGuards } = useGuard(project, useIdleOnce())
  return hasGuards && <DraftBar project={project} />
}

interface Place {
  readonly project: string
  readonly environment: string
  readonly feature: string
}

/** Pending changes of a flag in an environment that requires change requests. */
export function GuardNote({ project, environment, feature }: Place) {
  const { isGuarded } = useGuard(project)
  return isGuarded(environment) && <Waiting {...{ project, environment, feature }} />
}
