import type { ToOptions } from '@tanstack/react-router'
import {
  ChartColumn,
  Flag,
  FlaskConical,
  GitPullRequest,
  House,
  Layers,
  type LucideIcon,
  Plug,
  ScrollText,
  Settings,
} from 'lucide-react'
import type { Texts } from '../text/en.ts'

/** Page to which the menu and the palette link. */
export interface NavPage {
  readonly id: keyof Texts['nav']
  readonly icon: LucideIcon
  readonly link: (project: string) => ToOptions
  /** Permission that is required to see the page. */
  readonly needs?: string
  /** Paths at which the menu highlights the page; by default only the path of its link. */
  readonly isAt?: RegExp
}

/** Returns the link to a page for a user; undefined if the user may not see the page. */
export function getPageLink(
  { link, needs }: NavPage,
  may: (permission: string) => boolean,
  project: string,
): ToOptions | undefined {
  return needs === undefined || may(needs) ? link(project) : undefined
}

/** Pages of one project. */
export const PROJECT_PAGES: readonly NavPage[] = [
  {
    id: 'flags',
    icon: Flag,
    link: (project) => ({ to: '/projects/$project', params: { project } }),
    isAt: /^\/(archive|projects\/[^/]+(\/(features\/.*|compare))?)$/,
  },
  {
    id: 'changeRequests',
    icon: GitPullRequest,
    link: (project) => ({ to: '/projects/$project/change-requests', params: { project } }),
  },
  {
    id: 'insights',
    icon: ChartColumn,
    link: (project) => ({ to: '/projects/$project/insights', params: { project } }),
    isAt: /^\/(stale|metrics|projects\/[^/]+\/insights)$/,
  },
  { id: 'events', icon: ScrollText, link: (project) => ({ to: '/events', search: { project } }) },
  { id: 'segments', icon: Layers, link: (project) => ({ to: '/segments', search: { project } }) },
  { id: 'settings', icon: Settings, link: (project) => ({ to: '/projects/$project/settings', params: { project } }) },
]

/** Pages of all projects. */
export const GENERAL_PAGES: readonly NavPage[] = [
  { id: 'home', icon: House, link: () => ({ to: '/' }), isAt: /^\/$/ },
  { id: 'playground', icon: FlaskConical, link: (project) => ({ to: '/playground', search: { project } }) },
  { id: 'connect', icon: Plug, link: (project) => ({ to: '/connect', search: { project } }) },
]

/** Paths of the installation's settings, which have their own menu. */
export const SETTINGS_PATHS =
  /^\/(projects|environments|context-fields|tag-types|strategy-types|release-templates|users|invite-links|groups|roles|service-accounts|agents|single-sign-on|logins|tokens|applications(\/.*)?|fleet|integrations|signal-endpoints|import|instance)\/?$/
