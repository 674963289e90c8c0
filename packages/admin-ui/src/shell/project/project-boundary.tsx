import { Text } from '@mantine/core'
import { Link, Navigate, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Notice } from '../../ui/page/problem.tsx'
import ui from '../../ui/ui.module.css'
import { selectProject } from './last-project.ts'
import { useIsProjectMissing } from './use-is-project-missing.ts'
import { useVisibleProjects } from './use-visible-projects.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True if the user did not request this project; the page then chose the most likely one. */
    readonly isGuess?: boolean
  }
}

/**
 * Page of a project. Shows a notice with links if the project does not exist, or with a contact hint if the user cannot
 * see any project. A guessed project redirects to one that the user can see.
 */
export function ProjectBoundary({ project, children }: { project: string; children: ReactNode }) {
  const t = useTexts()
  const all = useVisibleProjects()
  const isGuess = useLocation({ select: ({ state }) => state.isGuess === true })
  const isGone = useIsProjectMissing(project)
  const seen = all === undefined ? project : selectProject(all, project)
  if (isGuess && seen !== undefined && seen !== project) {
    return <Navigate to="/projects/$project" params={{ project: seen }} replace />
  }
  if (seen === undefined && (isGuess || isGone)) {
    return (
      <Notice isPage title={t.errors.noProjects}>
        {t.errors.noProjectsText}
      </Notice>
    )
  }
  if (!isGone) return children
  return (
    <MissingPage title={t.errors.noProject(project)} text={t.errors.noProjectText}>
      <Link to="/projects" className={ui.link ?? ''}>
        {t.errors.toProjects}
      </Link>
    </MissingPage>
  )
}

/** Page for something that does not exist. The children link back. */
export function MissingPage({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const t = useTexts()
  return (
    <Page title={title}>
      <Text c="dimmed" mb="md">
        {text ?? t.errors.notFoundText}
      </Text>
      {children}
    </Page>
  )
}
