import type { ToOptions } from '@tanstack/react-router'
import type { Texts } from '../text/en.ts'

/** A page that the menu and the palette lead to. */
export interface NavPage {
  readonly id: keyof Texts['nav']
  readonly link: (project: string) => ToOptions
  /** The right without which there is nothing to see. */
  readonly needs?: string
  /** Other pages are below it, which do not count as this one. */
  readonly isExact?: boolean
}

/** Pages of daily work. */
export const WORK_PAGES: readonly NavPage[] = [
  { id: 'flags', link: (project) => ({ to: '/projects/$project', params: { project } }), isExact: true },
  { id: 'segments', link: () => ({ to: '/segments' }) },
  { id: 'playground', link: () => ({ to: '/playground' }) },
  { id: 'events', link: () => ({ to: '/events' }) },
  { id: 'archive', link: () => ({ to: '/archive' }) },
  { id: 'settings', link: (project) => ({ to: '/projects/$project/settings', params: { project } }) },
]

/** Pages of those who look after the installation. */
export const ADMIN_PAGES: readonly NavPage[] = [
  { id: 'projects', link: () => ({ to: '/projects' }), isExact: true },
  { id: 'environments', link: () => ({ to: '/environments' }) },
  { id: 'contextFields', link: () => ({ to: '/context-fields' }) },
  { id: 'strategyTypes', link: () => ({ to: '/strategy-types' }) },
  { id: 'tagTypes', link: () => ({ to: '/tag-types' }) },
  { id: 'tokens', link: () => ({ to: '/tokens' }), needs: 'READ_CLIENT_API_TOKEN' },
  { id: 'users', link: () => ({ to: '/users' }), needs: 'ADMIN' },
  { id: 'instance', link: () => ({ to: '/instance' }) },
]
