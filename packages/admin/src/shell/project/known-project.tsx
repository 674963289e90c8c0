import { Text } from '@mantine/core'
import { Link, Navigate, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Notice } from '../../ui/page/problem.tsx'
import ui from '../../ui/ui.module.css'
import { projectAmong } from './last-project.ts'
import { useIsGone } from './use-is-gone.ts'
import { useSeenProjects } from './use-seen-projects.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Nobody asked for the project of the address: it is the one that the person sees most likely. */
    readonly isGuess?: boolean
  }
}

/**
 * A page of a project; where there is no such project, it says so and shows the way to the others. Who sees none is told
 * whom to ask, and who asked for none in particular comes to one that they see.
 */
export function KnownProject({ project, children }: { project: string; children: ReactNode }) {
  const t = useTexts()
  const all = useSeenProjects()
  const isGuess = useLocation({ select: ({ state }) => state.isGuess === true })
  const isGone = useIsGone(project)
  const seen = all === undefined ? project : projectAmong(all, project)
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

/** A page in place of one of something that is not there; the children are the way back. */
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
