import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { findLastProject, readLastProject, storeLastProject } from './last-project.ts'
import { useIsProjectMissing } from './use-is-project-missing.ts'
import { useSelectProject } from './use-select-project.ts'
import { useVisibleProjects } from './use-visible-projects.ts'

/**
 * Paths of project pages whose query string names the project. On all other pages, the URL parameter `project` is a
 * filter.
 */
const PROJECT_QUERY_PAGES = /^\/(stale|metrics|connect|events|segments|archive)\/?$/
const ALL = '*'

/**
 * Returns the project named in the URL, or the last viewed project if the URL names none. Once the projects are loaded,
 * returns a project that the user can see, if there is one.
 */
export function useProject(): string {
  const named = useNamedProject()
  const all = useVisibleProjects()
  const select = useSelectProject()
  const wanted = named ?? findLastProject()
  // Archived projects are not in the list, but their pages can be open.
  const isGone = useIsProjectMissing(named ?? '')
  const isHere = all === undefined || (named !== undefined && !isGone)
  const project = (isHere ? undefined : select(wanted)) ?? wanted ?? readLastProject()
  // In a new browser, the project is unknown until the projects are loaded.
  const isKnown = wanted !== undefined || all !== undefined
  useEffect(() => {
    if (isKnown) storeLastProject(project)
  }, [project, isKnown])
  return project
}

function useNamedProject(): string | undefined {
  const { project } = useParams({ strict: false })
  const behind = useSearch({ strict: false, select: getProjectParam })
  const pathname = useLocation({ select: (location) => location.pathname })
  if (project !== undefined || !PROJECT_QUERY_PAGES.test(pathname)) return project
  return behind === ALL ? undefined : behind
}

const getProjectParam = ({ project }: { readonly project?: unknown }): string | undefined =>
  typeof project === 'string' ? project : undefined
