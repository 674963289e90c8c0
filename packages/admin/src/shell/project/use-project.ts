import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lastProject, projectAmong, rememberProject } from './last-project.ts'
import { useIsGone } from './use-is-gone.ts'
import { useSeenProjects } from './use-seen-projects.ts'

/** Pages of one project that name it in the query string. On other pages, that parameter is a filter. */
const NAMED_BEHIND = /^\/(stale|connect)\/?$/
const ALL = '*'

/**
 * Returns the project of the URL, else the last viewed one. Once the projects are loaded, it is one that the user can
 * see, if any.
 */
export function useProject(): string {
  const named = useNamedProject()
  const all = useSeenProjects()
  const wanted = named ?? lastProject()
  // Archived projects are not in the list, but their pages can be open.
  const isGone = useIsGone(named ?? '')
  const isHere = all === undefined || (named !== undefined && !isGone)
  const project = isHere ? wanted : (projectAmong(all, wanted) ?? wanted)
  useEffect(() => {
    rememberProject(project)
  }, [project])
  return project
}

function useNamedProject(): string | undefined {
  const { project } = useParams({ strict: false })
  const behind = useSearch({ strict: false, select: projectOf })
  const pathname = useLocation({ select: (location) => location.pathname })
  if (project !== undefined || !NAMED_BEHIND.test(pathname)) return project
  return behind === ALL ? undefined : behind
}

const projectOf = ({ project }: { readonly project?: unknown }): string | undefined =>
  typeof project === 'string' ? project : undefined
