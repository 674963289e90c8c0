import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { useGuard } from './guard.ts'

const DraftBar = lazyPart('DraftBar', async () => (await import('./draft-bar.tsx')).DraftBar)
const Waiting = lazyPart('WaitingRequests', async () => (await import('./waiting.tsx')).Waiting)

/** The person's drafts of a project, where it knows change requests at all. */
export function Drafts({ project }: { project: string }) {
  const { hasGuards } = useGuard(project, useIdleOnce())
  return hasGuards && <DraftBar project={project} />
}

interface Place {
  readonly project: string
  readonly environment: string
  readonly feature: string
}

/** What waits to change a flag in an environment that takes changes by change request only. */
export function GuardNote({ project, environment, feature }: Place) {
  const { isGuarded } = useGuard(project)
  return isGuarded(environment) && <Waiting {...{ project, environment, feature }} />
}
